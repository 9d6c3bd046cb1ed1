/// An MP4 of any length made from a small one: its groups of pictures are moved apart, with nothing between them.
///
/// It is as large as a film, holds no more than a clip, and takes no room anywhere: bytes are made when asked for.
public struct SpreadMovie: Sendable {
    /// In bytes.
    public let size: Int64
    /// The length of the `moov` box.
    public let indexSize: Int64
    /// The length of the largest group of pictures.
    public let largestGroup: Int64
    private let pieces: [(start: Int64, bytes: [UInt8])]

    /// - Parameters:
    ///   - clip: An MP4 with one track.
    ///   - framesInGroup: From one key frame to the next, each the same.
    ///   - size: Roughly, in bytes; less than 4 GB.
    ///   - indexFirst: Whether `moov` comes before the pictures.
    public init(_ clip: Clip, framesInGroup: Int, size: Int64, indexFirst: Bool) throws {
        let bytes = try clip.bytes()
        var boxes = try ISOBox.parse(bytes[...])
        guard let type = boxes.first(where: { $0.type == "ftyp" }),
            let index = boxes.firstIndex(where: { $0.type == "moov" })
        else { throw ProcessError("\(clip) is no MP4") }
        let packets = try clip.packets()
        guard packets.count % framesInGroup == 0 else { throw ProcessError("\(clip) has another number of frames") }
        let groups = stride(from: 0, to: packets.count, by: framesInGroup).map { first in
            Array(bytes[packets[first].lowerBound..<packets[first + framesInGroup - 1].upperBound])
        }
        let distance = size / Int64(groups.count)
        let head = type.bytes

        // One chunk for each group; where they lie is filled in when the index has its length.
        func moov(_ offsets: [Int64]) -> [UInt8] {
            func words(_ numbers: [Int]) -> [UInt8] {
                [0, 0, 0, 0] + numbers.flatMap { (number: Int) -> [UInt8] in ISOBox.bigEndian(number, bytes: 4) }
            }
            ISOBox.change("moov/trak/mdia/minf/stbl/stsc", in: &boxes) { $0.payload = words([1, 1, framesInGroup, 1]) }
            ISOBox.change("moov/trak/mdia/minf/stbl/stco", in: &boxes) {
                $0.payload = words([offsets.count] + offsets.map { Int($0) })
            }
            return boxes[index].bytes
        }

        indexSize = Int64(moov(groups.map { _ in 0 }).count)
        largestGroup = groups.map { Int64($0.count) }.max() ?? 0
        let mediaStart = Int64(head.count) + (indexFirst ? indexSize : 0)
        let starts = groups.indices.map { mediaStart + 8 + Int64($0) * distance }
        let mediaSize = 8 + Int64(groups.count) * distance
        let media = ISOBox.bigEndian(Int(mediaSize), bytes: 4) + Array("mdat".utf8)
        self.size = Int64(head.count) + indexSize + mediaSize
        pieces =
            [(0, head), (indexFirst ? Int64(head.count) : mediaStart + mediaSize, moov(starts)), (mediaStart, media)]
            + zip(starts, groups).map { ($0, $1) }
    }

    public var resource: LoopbackResource { LoopbackResource(size: size) { bytes($0) } }

    /// The bytes of a range.
    public func bytes(_ range: Range<Int64>) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: range.count)
        for piece in pieces {
            let part = range.clamped(to: piece.start..<piece.start + Int64(piece.bytes.count))
            guard !part.isEmpty else { continue }
            let target = Int(part.lowerBound - range.lowerBound)
            let source = Int(part.lowerBound - piece.start)
            result.replaceSubrange(target..<target + part.count, with: piece.bytes[source..<source + part.count])
        }
        return result
    }
}
