/// The part of an MP4 or QuickTime video that is meant to be shown: its clean aperture (ISO/IEC 14496-12, 12.1.4).
///
/// libavformat tells it from release 7.1 on. It is read here from the file's own boxes, for all releases alike.
enum CleanAperture {
    /// The clean aperture of a track, in pixels of the coded picture; `nil` where there is none, or it is all of it.
    ///
    /// - Parameters:
    ///   - track: The track's identifier, which is libavformat's `AVStream.id`.
    ///   - width: Of the coded picture.
    ///   - height: Of the coded picture.
    static func rectangle(
        in reader: ByteReader, track: UInt32, width: Int, height: Int
    ) throws(MediaError) -> PixelRectangle? {
        var budget = Box.mostBoxes
        var box = try Box.track(track, in: reader, &budget)
        for type in ["mdia", "minf", "stbl", "stsd"] { box = try box?.child(type, reader, &budget) }
        // Version, flags and count come before the entries; 78 bytes of a video entry come before its boxes.
        guard let entry = try box?.skipping(8).children(reader, &budget).first else { return nil }
        guard let aperture = try entry.skipping(78).child("clap", reader, &budget) else { return nil }
        return try aperture.rectangle(reader, width: width, height: height)
    }
}

extension Box {
    /// The content of a `clap` box.
    fileprivate func rectangle(_ reader: ByteReader, width: Int, height: Int) throws(MediaError) -> PixelRectangle? {
        guard let bytes = try reader.bytes(32, at: content.lowerBound), content.count >= 32 else { return nil }
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
