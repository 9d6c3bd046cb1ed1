import SnapBase

/// Segments behind their initialization section, one after the other, as the one source that a demuxer reads.
///
/// Read from front to back. A segment is opened when the one before it is used up.
final class SegmentRun: ByteSource {
    /// Opens a part, or finds it among those that were opened before.
    typealias Part = () throws -> SegmentBytes

    private let parts: [Part]
    /// Where the parts begin that were reached so far.
    private var starts = [0]
    /// The part that was read last: reading goes on there, unless a demuxer begins again.
    private var current = 0

    /// - Parameter parts: The initialization section, where there is one, and the segments.
    init(_ parts: [Part]) { self.parts = parts }

    var isSeekable: Bool { false }

    func size() -> Int64? { nil }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        let offset = Int(clamping: offset)
        if offset < starts[current] { current = 0 }
        while current + 1 < starts.count, starts[current + 1] <= offset { current += 1 }
        while current < parts.count {
            let part = try parts[current]()
            let first = offset - starts[current]
            try part.receive(first + 1)
            if part.count > first {
                let count = min(part.count - first, buffer.count)
                part.bytes.withUnsafeBytes { bytes in
                    let rest = bytes[(part.start + first)...]
                    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest.prefix(count)))
                }
                return count
            }
            guard current + 1 < parts.count else { return 0 }
            current += 1
            if current == starts.count { starts.append(starts[current - 1] + part.count) }
        }
        return 0
    }
}
