import Snap

extension VideoOptions {
    /// - Throws: ``SnapError`` with code `usage`.
    init(_ typed: ReadingOptions, _ stream: StreamOptions) throws(SnapError) {
        self.init()
        let limit = try MediaTime(parsing: typed.timeout)
        timeout = limit == .zero ? nil : .milliseconds(max(limit.milliseconds, 1))
        pixelLimit = try Self.number(typed.maxPixels, "--max-pixels")
        byteLimit = try Self.number(typed.maxBytes, "--max-bytes")
        if let count = typed.threads {
            guard 1...64 ~= count else { throw SnapError(.usage, "--threads is \(count); it goes from 1 to 64") }
            threads = count
        }
        for text in typed.header { headers.append(try Header(text)) }
        userAgent = typed.userAgent
        allowsPrivateAddresses = typed.allowPrivate
        certificateFile = typed.certificateFile
        timeIndex = typed.index.map { $0 == "beside" ? .beside : .folder($0) }
        if typed.index == "" { throw SnapError(.usage, "--index names no folder; write 'beside', or a folder") }
        variant = try VariantSelection(stream.variant)
        timeline = stream.timeline
        if let age = stream.maxAge { maximumAge = .milliseconds(try MediaTime(parsing: age).milliseconds) }
    }

    /// A number of things, at least 1, with a unit that counts in 1024s: `500`, `64k`, `128M`, `4G`.
    static func number(_ text: String, _ option: String) throws(SnapError) -> Int64 {
        let shift: Int64? =
            switch text.last {
            case "k", "K": 10
            case "m", "M": 20
            case "g", "G": 30
            default: nil
            }
        let digits = shift == nil ? text[...] : text.dropLast()
        if !digits.isEmpty, digits.allSatisfy({ "0"..."9" ~= $0 }), let number = Int64(digits), number > 0 {
            let (value, overflow) = number.multipliedReportingOverflow(by: 1 << (shift ?? 0))
            if !overflow { return value }
        }
        throw SnapError(.usage, "\(option) \(text): write a whole number from 1 on, with k, M or G if you like (500M)")
    }
}

extension VideoOptions.Header {
    /// Reads `Name: value`.
    ///
    /// - Throws: ``SnapError`` with code `usage`; it does not repeat the value, which may be a secret.
    init(_ text: String) throws(SnapError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        // The characters of a name: RFC 9110, section 5.6.2.
        let marks = "!#$%&'*+-.^_`|~"
        let isName = parts[0].utf8.allSatisfy { byte in
            let character = Character(Unicode.Scalar(byte))
            return byte < 0x80 && (character.isLetter || character.isNumber || marks.contains(character))
        }
        guard parts.count == 2, !parts[0].isEmpty, isName else {
            throw SnapError(.usage, "a --header is not of the form 'Name: value'")
        }
        let value = parts[1].drop { $0 == " " || $0 == "\t" }
        guard value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f || $0 == "\t" }) else {
            throw SnapError(.usage, "the --header \(parts[0]) has control characters in it")
        }
        self.init(name: String(parts[0]), value: String(value))
    }
}
