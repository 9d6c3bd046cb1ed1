import SnapBase

/// Segments behind their initialization section, one after the other, as the one source that a demuxer reads.
///
/// Read from front to back. A segment is opened when the one before it is used up.
final class SegmentRun: ByteSource {
    /// Opens a part, or finds it among those that were opened before.
    typealias Part = () throws -> SegmentBytes

    private let parts: [Part]
    /// The lengths of the parts that were read to their ends.
    private var lengths: [Int] = []

    /// - Parameter parts: The initialization section, where there is one, and the segments.
    init(_ parts: [Part]) { self.parts = parts }

    var isSeekable: Bool { false }

    func size() -> Int64? { nil }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        var start = 0
        let offset = Int(clamping: offset)
        for index in parts.indices {
            if index < lengths.count, offset >= start + lengths[index] {
                start += lengths[index]
                continue
            }
            let part = try parts[index]()
            try part.receive(offset - start + 1)
            let available = part.count - (offset - start)
            if available > 0 {
                let count = min(available, buffer.count)
                part.bytes.withUnsafeBytes { bytes in
                    let rest = bytes[(part.start + offset - start)...]
                    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest.prefix(count)))
                }
                return count
            }
            if index == lengths.count { lengths.append(part.count) }
            start += part.count
        }
        return 0
    }
}
