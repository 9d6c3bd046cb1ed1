/// The parameter sets and messages of H.265 that a container has beside its packets: an HEVCDecoderConfigurationRecord
/// (ISO/IEC 14496-15, 8.3.3.1).
struct HEVCConfiguration {
    /// What it says before its units.
    private let head: ArraySlice<UInt8>
    private(set) var units: [HEVCUnit] = []

    /// - Returns: `nil` for what is no such record, and for one that ends early.
    init?(_ extradata: [UInt8]) {
        guard case .behindLengths = NALUnits(hevcConfiguration: extradata) else { return nil }
        head = extradata.prefix(22)
        var rest = extradata.dropFirst(22)
        guard let arrays = rest.popFirst() else { return nil }
        for _ in 0..<arrays {
            rest = rest.dropFirst()  // the type, which each unit says, too
            guard let count = rest.popWord() else { return nil }
            for _ in 0..<count {
                guard let length = rest.popWord(), rest.count >= length else { return nil }
                if let unit = HEVCUnit(rest.prefix(length)) { units.append(unit) }
                rest = rest.dropFirst(length)
            }
        }
    }

    /// As it was read, with other units.
    func bytes(with units: [HEVCUnit]) -> [UInt8] {
        let some = units.prefix(255)
        // Each in an array of its own, that says that there are no others.
        let arrays = some.flatMap { unit -> [UInt8] in
            [0x80 | unit.type, 0, 1] + NALUnits.behindLengths(2).framed(unit.bytes)
        }
        return head + [UInt8(some.count)] + arrays
    }
}

/// A NAL unit of H.265 (ITU-T H.265, 7.3.1), with its header of two bytes.
struct HEVCUnit {
    private(set) var bytes: [UInt8]

    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count >= 2 else { return nil }
        self.bytes = Array(bytes)
    }

    /// `nal_unit_type` (table 7-1).
    var type: UInt8 { bytes[0] >> 1 & 63 }
    /// `nuh_layer_id`: 0 for the pictures that every decoder knows.
    var layer: UInt8 { bytes[0] << 5 & 32 | bytes[1] >> 3 }
    var isPicture: Bool { type < 32 }
    var isVideoParameterSet: Bool { type == 32 }
    /// Whether it says of the pictures behind it, of all layers, that they begin anew: the end of a sequence or stream.
    var isEnd: Bool { type == 36 || type == 37 }
    /// Whether decoding can begin with it: BLA, IDR and CRA.
    var isEntry: Bool { 16...23 ~= type }

    /// The same in the base layer.
    var inBaseLayer: HEVCUnit {
        var unit = self
        unit.bytes[0] &= 0xFE
        unit.bytes[1] &= 7
        return unit
    }

    /// A video parameter set (7.3.2.1) that knows of no layer but one.
    var withOneLayer: HEVCUnit {
        guard isVideoParameterSet, bytes.count > 3 else { return self }
        var unit = self
        // vps_max_layers_minus1, behind six bits
        unit.bytes[2] &= 0xFC
        unit.bytes[3] &= 0x0F
        return unit
    }

    /// What follows the header, without the bytes that keep start codes out of it (7.3.1.1).
    var payload: [UInt8] {
        var payload: [UInt8] = []
        var zeros = 0
        for byte in bytes.dropFirst(2) {
            if zeros >= 2, byte == 3 {
                zeros = 0
            } else {
                zeros = byte == 0 ? zeros + 1 : 0
                payload.append(byte)
            }
        }
        return payload
    }

    /// The messages that a unit of type 39 or 40 holds (7.3.2.4 and 7.3.5).
    var messages: [(type: Int, content: ArraySlice<UInt8>)] {
        var messages: [(type: Int, content: ArraySlice<UInt8>)] = []
        var rest = payload[...]
        func popNumber() -> Int {
            var number = 0
            while let byte = rest.popFirst() {
                number += Int(byte)
                if byte != 255 { break }
            }
            return number
        }
        // Behind the last one are the bits that end the unit.
        while rest.count > 2 {
            let (type, count) = (popNumber(), popNumber())
            messages.append((type, rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return messages
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func popWord() -> Int? {
        guard let high = popFirst(), let low = popFirst() else { return nil }
        return Int(high) << 8 | Int(low)
    }
}
