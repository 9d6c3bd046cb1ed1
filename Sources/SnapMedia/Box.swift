/// A box of an MP4 file: where its content lies.
struct Box {
    /// Boxes looked at before a file is given up: those of a hostile one may go on for long.
    static let mostBoxes = 4096

    var type = ""
    var content: Range<Int64>

    /// The box of a track, by its identifier.
    static func track(_ track: UInt32, in reader: ByteReader, _ budget: inout Int) throws(MediaError) -> Box? {
        let file = Box(content: 0..<(reader.size() ?? .max))
        guard let movie = try file.child("moov", reader, &budget) else { return nil }
        for candidate in try movie.children(reader, &budget) where candidate.type == "trak" {
            let header = try candidate.child("tkhd", reader, &budget)
            if try header?.trackIdentifier(reader) == track { return candidate }
        }
        return nil
    }

    /// Tells the source of an MP4 that its `moov` will be read, wherever it lies.
    static func announceMovie(in reader: ByteReader) throws(MediaError) {
        let openings = ["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot"]
        guard reader.isSeekable, let size = reader.size(), let head = try reader.bytes(8, at: 0),
            openings.contains(String(decoding: head[4...], as: Unicode.ASCII.self))
        else { return }
        var budget = mostTopLevelBoxes
        let boxes = try Box(content: 0..<size).children(reader, &budget)
        if let movie = boxes.last, movie.type == "moov" { reader.willRead(movie.content) }
    }

    /// Few come before `moov`, and each may cost a request.
    private static let mostTopLevelBoxes = 16

    func skipping(_ count: Int64) -> Box {
        Box(type: type, content: min(content.lowerBound + count, content.upperBound)..<content.upperBound)
    }

    func child(_ type: String, _ reader: ByteReader, _ budget: inout Int) throws(MediaError) -> Box? {
        try children(reader, &budget).first { $0.type == type }
    }

    func children(_ reader: ByteReader, _ budget: inout Int) throws(MediaError) -> [Box] {
        var boxes: [Box] = []
        var position = content.lowerBound
        while content.upperBound - position >= 8, budget > 0, let head = try reader.bytes(8, at: position) {
            budget -= 1
            var size = Int64(head.number(at: 0))
            var headSize: Int64 = 8
            if size == 1, let large = try reader.bytes(8, at: position + 8) {
                size = Int64(clamping: UInt64(large.number(at: 0)) << 32 | UInt64(large.number(at: 4)))
                headSize = 16
            } else if size == 0 {
                size = content.upperBound - position
            }
            guard size >= headSize, size <= content.upperBound - position else { break }
            let type = String(decoding: head[4..<8], as: Unicode.ASCII.self)
            boxes.append(Box(type: type, content: position + headSize..<position + size))
            position += size
            if type == "moov" { break }  // nothing behind it is asked for, and it may be far away
        }
        return boxes
    }

    func trackIdentifier(_ reader: ByteReader) throws(MediaError) -> UInt32? {
        guard let version = try reader.bytes(1, at: content.lowerBound)?.first else { return nil }
        return try reader.bytes(4, at: content.lowerBound + (version == 1 ? 20 : 12))?.number(at: 0)
    }
}

extension [UInt8] {
    /// 32 bits, the most significant byte first.
    func number(at index: Int) -> UInt32 {
        self[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension ByteReader {
    /// All of so many bytes, or `nil` at the end.
    func bytes(_ count: Int, at offset: Int64) throws(MediaError) -> [UInt8]? {
        let bytes = try read(count, at: offset)
        return bytes.count == count ? bytes : nil
    }
}
