/// Zeros in the place of bytes that a download left out or a disk could not read.
///
/// The arithmetic decoders of H.265 and mostly H.264 make a picture of any bytes, and say nothing. What was coded has no such
/// run of zeros, for NAL units have no three in a row (ITU-T H.264, 7.4.1; H.265, 7.4.2). VP8 and VP9 can have a thousand.
struct Holes: LossDetector {
    /// How many zeros make a hole. Every half of that, one byte is looked at.
    static let length = 128

    /// Within which a hole has to be, for zeros behind them are filling.
    private let units: NALUnits

    init(in units: NALUnits) { self.units = units }

    func isSpoilt(_ packet: Packet) -> Bool { packet.withBytes(hasHole) }

    func restart() {}

    private func hasHole(_ bytes: Span<UInt8>) -> Bool {
        /// Where units begin, the last one first; `nil` before they are looked for.
        var starts: [Int]?
        var index = Self.length / 2
        while index < bytes.count {
            if bytes[index] == 0 {
                var (start, end) = (index, index + 1)
                while start > 0, bytes[start - 1] == 0 { start -= 1 }
                while end < bytes.count, bytes[end] == 0 { end += 1 }
                if end - start >= Self.length, end < bytes.count {
                    var coming = starts ?? places(in: bytes)
                    while let next = coming.last, next < end { coming.removeLast() }
                    // Filling: the next unit begins right behind, with the rest of its length or start code between.
                    guard let next = coming.last, next <= end + 4 else { return true }
                    starts = coming
                }
                index = end
            }
            index += Self.length / 2
        }
        return false
    }

    private func places(in bytes: Span<UInt8>) -> [Int] {
        var places: [Int] = []
        _ = units.forEach(in: bytes) { place in
            places.append(place)
            return true
        }
        return places.reversed()
    }
}
