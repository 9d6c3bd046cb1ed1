/// The numbers that MPEG-1 and MPEG-2 give their pictures, in the order in which they are shown (ISO/IEC 13818-2, 6.3.9,
/// temporal_reference; ISO/IEC 11172-2, 2.4.3.4).
///
/// In the order of decoding, B pictures come behind both pictures that they are shown between. Where one comes that is shown
/// behind both, or the first is not the next to the earlier one, a picture is missing that others may be predicted from.
/// In the second case it may as well have been a B picture, from which none is: that can't be told, and counts.
///
/// Losses are not noticed at the end of a group of pictures, for the next one counts anew; in streams of low delay, which
/// may leave out numbers; and before some pictures were numbered as they should be, for some encoders count otherwise.
struct TemporalReferences: LossDetector {
    enum Header: Hashable {
        case sequence(isLowDelay: Bool)
        case group
        case picture(number: Int, isIntra: Bool, isBidirectional: Bool)
    }

    /// That of the picture decoded last that is not a B picture; `nil` where decoding begins.
    private var anchor: Int?
    /// That of the last picture before the anchor, in the order of presentation, as far as pictures came; `nil` where
    /// decoding begins.
    private var lastShown: Int?
    /// That of the last picture: a second field has the same.
    private var last: Int?
    /// The packet of the anchor, as long as what comes before it may be a B picture that is still to come.
    private var undecided: Packet?
    private var isLowDelay = false
    /// Grows by each picture that is numbered as it should be.
    private var trust = 0
    /// Whether the pictures of this group are numbered in another way.
    private var countsOtherwise = false

    var isUndecided: Bool { undecided != nil }

    init(configuration: [UInt8]) {
        for header in Self.headers(in: configuration.span) { _ = isSpoilt(header, nil) }
    }

    mutating func restart() {
        beginGroup()
        undecided = nil
    }

    private mutating func beginGroup() {
        (anchor, lastShown, last) = (nil, nil, nil)
        countsOtherwise = false
    }

    mutating func isSpoilt(_ packet: Packet) -> Bool {
        packet.withBytes(Self.headers).reduce(false) { isSpoilt($1, packet) || $0 }
    }

    private mutating func isSpoilt(_ header: Header, _ packet: Packet?) -> Bool {
        switch header {
        case .sequence(let isLowDelay): self.isLowDelay = isLowDelay
        case .group:
            settle(isLoss: true)
            beginGroup()
        case .picture(let number, let isIntra, let isBidirectional):
            if isLowDelay || countsOtherwise || number == last { return false }
            last = number
            if isBidirectional { return isSpoilt(bidirectional: number) }
            settle(isLoss: true)
            // Without a header of a group too, some encoders count anew.
            if isIntra, let anchor, Self.distance(anchor, number) < 1 { beginGroup() }
            return isSpoilt(anchor: number, isIntra ? nil : packet)
        }
        return false
    }

    /// - Parameter packet: `nil` where it is predicted from nothing.
    private mutating func isSpoilt(anchor number: Int, _ packet: Packet?) -> Bool {
        guard let before = anchor else {
            anchor = number
            return false
        }
        (lastShown, anchor) = (before, number)
        switch Self.distance(before, number) {
        case 1: trust += 1
        case 2...: undecided = packet
        default: return isBelieved()
        }
        return false
    }

    private mutating func isSpoilt(bidirectional number: Int) -> Bool {
        guard let anchor else { return false }
        let step = lastShown.map { Self.distance($0, number) } ?? 1
        guard step > 0, Self.distance(number, anchor) > 0 else {
            settle(isLoss: true)
            return isBelieved()
        }
        lastShown = number
        if step == 1 { trust += 2 }
        if isUndecided { settle(isLoss: step > 1) } else if step > 1 { _ = isBelieved() }
        return false
    }

    /// It is known what lies before the anchor.
    private mutating func settle(isLoss: Bool) {
        guard let packet = undecided else { return }
        undecided = nil
        if isLoss, isBelieved() { packet.markCorrupt() }
    }

    /// A number is not what it should be: whether that means a loss.
    private mutating func isBelieved() -> Bool {
        if trust < 4 { (trust, countsOtherwise) = (0, true) }
        return !countsOtherwise
    }

    /// How far one number is behind another, from -512 to 511: they are counted modulo 1024.
    private static func distance(_ from: Int, _ to: Int) -> Int { (to - from + 1536) & 1023 - 512 }

    /// Those before the first slice.
    static func headers(in bytes: Span<UInt8>) -> [Header] {
        var headers: [Header] = []
        StartCodes.forEach(in: bytes) { place in
            let (code, rest) = (bytes[place], bytes.extracting(place + 1..<min(place + 7, bytes.count)))
            switch code {
            case 0xB8: headers.append(.group)
            // sequence_extension
            case 0xB5 where rest.count == 6 && rest[0] >> 4 == 1:
                headers.append(.sequence(isLowDelay: rest[5] & 0x80 != 0))
            case 0x00 where rest.count >= 2:
                let (number, kind) = (Int(rest[0]) << 2 | Int(rest[1] >> 6), rest[1] >> 3 & 7)
                headers.append(.picture(number: number, isIntra: kind == 1, isBidirectional: kind == 3))
            case 0x01...0xAF: return false
            default: break
            }
            return true
        }
        return headers
    }
}
