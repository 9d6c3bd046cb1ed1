/// The bytes of a resource that arrived lately, so that small jumps back cost no request.
///
/// Bounded; the pieces longest unused go first.
struct ReceivedBytes {
    private struct Piece {
        let start: Int64
        var bytes: [UInt8]
        var lastUse: UInt64
        var end: Int64 { start + Int64(bytes.count) }
    }

    private var pieces: [Piece] = []
    private var count = 0
    private var clock: UInt64 = 0

    /// How many bytes are kept.
    static let capacity = 8 << 20
    private static let pieceSize = 262_144

    /// Adds bytes that arrived.
    mutating func append(_ bytes: [UInt8], at start: Int64) {
        guard !bytes.isEmpty else { return }
        clock += 1
        if let last = pieces.indices.last, pieces[last].end == start, pieces[last].bytes.count < Self.pieceSize {
            pieces[last].bytes += bytes
            pieces[last].lastUse = clock
        } else {
            pieces.append(Piece(start: start, bytes: bytes, lastUse: clock))
        }
        count += bytes.count
        while count > Self.capacity, pieces.count > 1 {
            // Never the last one, which the next bytes belong to.
            guard let oldest = pieces.indices.dropLast().min(by: { pieces[$0].lastUse < pieces[$1].lastUse }) else {
                break
            }
            count -= pieces.remove(at: oldest).bytes.count
        }
    }

    /// Copies what is there from an offset on, up to the end of one piece.
    ///
    /// - Returns: How many bytes; 0 when there are none at the offset.
    mutating func copy(into buffer: UnsafeMutableRawBufferPointer, from offset: Int64) -> Int {
        guard let index = pieces.lastIndex(where: { $0.start <= offset && offset < $0.end }) else { return 0 }
        clock += 1
        pieces[index].lastUse = clock
        let skipped = Int(offset - pieces[index].start)
        return unsafe pieces[index].bytes.withUnsafeBytes { bytes in
            let available = unsafe UnsafeRawBufferPointer(rebasing: bytes[skipped...].prefix(buffer.count))
            unsafe buffer.copyMemory(from: available)
            return available.count
        }
    }

    /// Where the first bytes behind an offset begin that are there already.
    func firstStart(after offset: Int64) -> Int64? { pieces.lazy.map(\.start).filter { $0 > offset }.min() }
}
