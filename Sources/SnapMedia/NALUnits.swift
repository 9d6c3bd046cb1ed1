/// How the NAL units of H.264 and H.265 follow each other in a packet.
enum NALUnits {
    /// Behind start codes (ISO/IEC 14496-10, Annex B; ISO/IEC 23008-2, Annex B).
    case behindStartCodes
    /// Behind their lengths, of so many bytes (ISO/IEC 14496-15).
    case behindLengths(Int)

    /// Those of H.264: an AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1) says how long lengths are.
    init(avcConfiguration extradata: [UInt8]) {
        self = extradata.count >= 7 && extradata[0] == 1 ? .behindLengths(Int(extradata[4] & 3) + 1) : .behindStartCodes
    }

    /// Those of H.265: an HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, 8.3.3.1) says it.
    init(hevcConfiguration extradata: [UInt8]) {
        let isRecord = extradata.count >= 23 && extradata[0] == 1
        self = isRecord ? .behindLengths(Int(extradata[21] & 3) + 1) : .behindStartCodes
    }

    /// Calls `body` with the place of each unit's first byte, as long as it returns true.
    ///
    /// - Returns: Whether the bytes could be told apart as far as was asked.
    func forEach(in bytes: Span<UInt8>, _ body: (Int) -> Bool) -> Bool {
        switch self {
        case .behindStartCodes:
            StartCodes.forEach(in: bytes, body)
            return true
        case .behindLengths(let size):
            var place = 0
            while place < bytes.count {
                guard bytes.count - place > size else { return false }
                var length = 0
                for index in place..<place + size { length = length << 8 | Int(bytes[index]) }
                place += size
                guard length > 0, length <= bytes.count - place else { return false }
                guard body(place) else { return true }
                place += length
            }
            return true
        }
    }

    /// Where each unit lies; `nil` where they can't be told apart. Zeros behind a unit count as its own.
    func ranges(in bytes: Span<UInt8>) -> [Range<Int>]? {
        var starts: [Int] = []
        let isSound = forEach(in: bytes) { place in
            starts.append(place)
            return true
        }
        guard isSound else { return nil }
        let ends = starts.dropFirst().map { $0 - prefixLength } + [bytes.count]
        return zip(starts, ends).map { $0..<$1 }
    }

    /// A unit with what goes before it.
    func framed(_ unit: [UInt8]) -> [UInt8] {
        switch self {
        case .behindStartCodes: [0, 0, 1] + unit
        case .behindLengths(let size):
            (0..<size).reversed().map { UInt8(truncatingIfNeeded: unit.count >> (8 * $0)) } + unit
        }
    }

    private var prefixLength: Int {
        switch self {
        case .behindStartCodes: 3
        case .behindLengths(let size): size
        }
    }
}

/// The start codes of MPEG video: 0, 0, 1.
enum StartCodes {
    /// Calls `body` with the place of the byte behind each start code, as long as it returns true.
    static func forEach(in bytes: Span<UInt8>, _ body: (Int) -> Bool) {
        var place = 2
        while place < bytes.count - 1 {
            switch bytes[place] {
            case 0: place += 1
            case 1 where bytes[place - 1] == 0 && bytes[place - 2] == 0:
                guard body(place + 1) else { return }
                place += 3
            default: place += 3
            }
        }
    }
}

/// Types of NAL units of H.265 (ITU-T H.265, table 7-1).
enum HEVCUnits {
    /// The type of the first unit of a packet that is a part of a picture; `nil` where there is none.
    static func pictureType(in packet: Packet, _ units: NALUnits) -> UInt8? {
        packet.withBytes { bytes in
            var type: UInt8?
            _ = units.forEach(in: bytes) { place in
                let found = bytes[place] >> 1 & 63
                if found < 32 { type = found }
                return type == nil
            }
            return type
        }
    }
}
