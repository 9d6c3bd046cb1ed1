/// A part of another source, as if it were all.
package final class PartByteSource: ByteSource {
    private let whole: any ByteSource
    private let range: Range<Int64>

    package init(_ whole: any ByteSource, _ range: Range<Int64>) {
        self.whole = whole
        self.range = range
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        guard offset < Int64(range.count) else { return 0 }
        let count = min(buffer.count, Int(Int64(range.count) - offset))
        return try whole.read(
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: range.lowerBound + offset)
    }

    package func size() -> Int64? { Int64(range.count) }

    package var isSeekable: Bool { whole.isSeekable }

    package func willRead(_ range: Range<Int64>) {
        let start = self.range.lowerBound
        let ahead = (start + range.lowerBound..<start + range.upperBound).clamped(to: self.range)
        if !ahead.isEmpty { whole.willRead(ahead) }
    }

    /// Those of the whole.
    package var statistics: ByteSourceStatistics { whole.statistics }
}
