/// Tells pictures of H.265 whose hash is lost, in streams that have one for each (ITU-T H.265, D.2.19): the decoder holds
/// those against theirs that have one.
struct HEVCPictureHashes: LossDetector {
    /// So many pictures in a row have to have one before one without it is missed.
    private static let many = 4

    private let units: NALUnits
    private var hashed = 0
    /// A key frame without a hash: another encoder's pictures may begin with it. The next packet tells.
    private var keyInDoubt: Packet?

    var isUndecided: Bool { keyInDoubt != nil }

    init(_ units: NALUnits) { self.units = units }

    mutating func isSpoilt(_ packet: Packet) -> Bool {
        let key = keyInDoubt
        keyInDoubt = nil
        if packet.withBytes(hasHash) {
            hashed += 1
            key?.markCorrupt()
            return false
        }
        let isMissed = hashed >= Self.many && key == nil
        if isMissed, packet.isKey {
            keyInDoubt = packet
            return false
        }
        hashed = 0
        return isMissed
    }

    /// Elsewhere in the stream, one picture with a hash is enough to expect them again.
    mutating func restart() {
        hashed = min(hashed, Self.many - 1)
        keyInDoubt = nil
    }

    /// Whether there is a suffix message (NAL unit type 40) that begins with a hash (payload type 132).
    private func hasHash(_ bytes: Span<UInt8>) -> Bool {
        var isThere = false
        let isSound = units.forEach(in: bytes) { place in
            isThere = place + 2 < bytes.count && bytes[place] >> 1 & 63 == 40 && bytes[place + 2] == 132
            return !isThere
        }
        return isSound && isThere
    }
}
