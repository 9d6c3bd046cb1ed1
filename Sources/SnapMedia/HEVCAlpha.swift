/// Whether an HEVC stream has alpha in a second layer, which FFmpeg decodes from release 8 on only.
enum HEVCAlpha {
    /// Looks for the message "alpha channel information" (ITU-T H.265, F.14.2.8; payload type 165) in an
    /// HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, 8.3.3.1), where Apple's "HEVC Video with Alpha" wants it.
    static func isNamed(in configuration: [UInt8]) -> Bool {
        guard configuration.count > 22, configuration[0] == 1 else { return false }
        var rest = configuration[23...]
        func word(_ bytes: ArraySlice<UInt8>) -> Int { bytes.prefix(2).reduce(0) { $0 << 8 | Int($1) } }
        for _ in 0..<configuration[22] {
            guard rest.count >= 3, let type = rest.popFirst().map({ $0 & 63 }) else { return false }
            let count = word(rest)
            rest = rest.dropFirst(2)
            for _ in 0..<count {
                let length = word(rest)
                rest = rest.dropFirst(2)
                guard length > 0, rest.count >= length else { return false }
                // Behind a header of two bytes: the type of the first message.
                if type == 39, rest.prefix(length).dropFirst(2).first == 165 { return true }
                rest = rest.dropFirst(length)
            }
        }
        return false
    }
}
