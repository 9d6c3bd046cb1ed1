import CFFmpeg

/// The part of an MP4 or QuickTime video that is meant to be shown: its clean aperture (ISO/IEC 14496-12, 12.1.4).
///
/// libavformat tells it from release 7.1 on. It is read here from the file's own boxes, for all releases alike.
enum CleanAperture {
    /// Boxes looked at before a file is given up: those of a hostile one may go on for long.
    private static let mostBoxes = 4096

    /// The clean aperture of a track, in pixels of the coded picture; `nil` where there is none, or it is all of it.
    ///
    /// - Parameters:
    ///   - track: The track's identifier, which is libavformat's `AVStream.id`.
    ///   - width: Of the coded picture.
    ///   - height: Of the coded picture.
    static func rectangle(in reader: ByteReader, track: UInt32, width: Int, height: Int) -> PixelRectangle? {
        var budget = mostBoxes
        let file = Box(content: 0..<(reader.size() ?? .max))
        guard let movie = file.children(reader, &budget).first(where: { $0.type == "moov" }) else { return nil }
        for candidate in movie.children(reader, &budget) where candidate.type == "trak" {
            guard let header = candidate.child("tkhd", reader, &budget), header.trackIdentifier(reader) == track else {
                continue
            }
            var box: Box? = candidate
            for type in ["mdia", "minf", "stbl", "stsd"] { box = box?.child(type, reader, &budget) }
            // Version, flags and count come before the entries; 78 bytes of a video entry come before its boxes.
            guard let entry = box?.skipping(8).children(reader, &budget).first else { return nil }
            guard let aperture = entry.skipping(78).child("clap", reader, &budget) else { return nil }
            return aperture.rectangle(reader, width: width, height: height)
        }
        return nil
    }
}

/// A box of an MP4 file: where its content lies.
private struct Box {
    var type = ""
    var content: Range<Int64>

    func skipping(_ count: Int64) -> Box {
        Box(type: type, content: min(content.lowerBound + count, content.upperBound)..<content.upperBound)
    }

    func child(_ type: String, _ reader: ByteReader, _ budget: inout Int) -> Box? {
        children(reader, &budget).first { $0.type == type }
    }

    func children(_ reader: ByteReader, _ budget: inout Int) -> [Box] {
        var boxes: [Box] = []
        var position = content.lowerBound
        while content.upperBound - position >= 8, budget > 0, let head = reader.bytes(8, at: position) {
            budget -= 1
            var size = Int64(head.number(at: 0))
            var headSize: Int64 = 8
            if size == 1, let large = reader.bytes(8, at: position + 8) {
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

    func trackIdentifier(_ reader: ByteReader) -> UInt32? {
        guard let version = reader.bytes(1, at: content.lowerBound)?.first else { return nil }
        return reader.bytes(4, at: content.lowerBound + (version == 1 ? 20 : 12))?.number(at: 0)
    }

    func rectangle(_ reader: ByteReader, width: Int, height: Int) -> PixelRectangle? {
        guard let bytes = reader.bytes(32, at: content.lowerBound), content.count >= 32 else { return nil }
        func fraction(_ index: Int) -> Double? {
            let (top, bottom) = (Int32(bitPattern: bytes.number(at: 8 * index)), bytes.number(at: 8 * index + 4))
            return bottom > 0 ? Double(top) / Double(bottom) : nil
        }
        guard let w = fraction(0), let h = fraction(1), let x = fraction(2), let y = fraction(3), w >= 1, h >= 1,
            w <= Double(width), h <= Double(height)
        else { return nil }
        // Offsets are those of the centres.
        let left = ((Double(width) - w) / 2 + x).rounded()
        let top = ((Double(height) - h) / 2 + y).rounded()
        let (columns, rows) = (w.rounded(), h.rounded())
        guard left >= 0, top >= 0, left + columns <= Double(width), top + rows <= Double(height) else { return nil }
        if Int(columns) == width, Int(rows) == height { return nil }
        return PixelRectangle(x: Int(left), y: Int(top), width: Int(columns), height: Int(rows))
    }
}

extension [UInt8] {
    /// 32 bits, the most significant byte first.
    fileprivate func number(at index: Int) -> UInt32 {
        self[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension ByteReader {
    /// All of so many bytes, or `nil`.
    fileprivate func bytes(_ count: Int, at offset: Int64) -> [UInt8]? {
        guard let bytes = try? read(count, at: offset), bytes.count == count else { return nil }
        return bytes
    }
}
