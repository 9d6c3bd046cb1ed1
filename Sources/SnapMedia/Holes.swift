/// Zeros in the place of bytes that a download left out or a disk could not read.
///
/// The arithmetic decoders of H.265, VP8, VP9 and mostly H.264 make a picture of any bytes, and say nothing. What was coded
/// has no such run of zeros: NAL units no three in a row, and the others but by a chance that nobody lives to see.
struct Holes: LossDetector {
    /// How many zeros make a hole. Every half of that, one byte is looked at.
    static let length = 128

    /// Within which a hole has to be, for zeros behind them are filling; `nil` for anywhere.
    private let units: NALUnits?

    init(in units: NALUnits?) { self.units = units }

    func isSpoilt(_ packet: Packet) -> Bool { packet.withBytes(hasHole) }

    func restart() {}

    private func hasHole(_ bytes: Span<UInt8>) -> Bool {
        var index = Self.length / 2
        while index < bytes.count {
            if bytes[index] == 0 {
                var (start, end) = (index, index + 1)
                while start > 0, bytes[start - 1] == 0 { start -= 1 }
                while end < bytes.count, bytes[end] == 0 { end += 1 }
                if end - start >= Self.length, !isFilling(start..<end, in: bytes) { return true }
                index = end
            }
            index += Self.length / 2
        }
        return false
    }

    private func isFilling(_ zeros: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        guard let units else { return false }
        if zeros.upperBound == bytes.count { return true }
        // The next unit begins right behind, with the rest of its length or start code between.
        var isFilling = false
        _ = units.forEach(in: bytes) { start in
            isFilling = (zeros.upperBound...zeros.upperBound + 4).contains(start)
            return start < zeros.upperBound
        }
        return isFilling
    }
}
