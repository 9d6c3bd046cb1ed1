/// The edit list of an MP4 or QuickTime track (ISO/IEC 14496-12, 8.6.6), which libavformat applies and does not tell.
enum EditList {
    /// How many edits the list of a track has; 0 without a list.
    static func count(in reader: ByteReader, track: UInt32) throws(MediaError) -> Int {
        var budget = Box.mostBoxes
        let edits = try Box.track(track, in: reader, &budget)?.child("edts", reader, &budget)
        guard let list = try edits?.child("elst", reader, &budget) else { return 0 }
        return Int(try reader.bytes(4, at: list.content.lowerBound + 4)?.number(at: 0) ?? 0)
    }
}
