/// How much later than they are decoded the samples of an MP4 track are shown (ISO/IEC 14496-12, 8.6.1.3).
enum CompositionOffsets {
    /// The offsets of the first samples of a track, in units of its media.
    ///
    /// - Returns: Zeros where the track has no table of them, and fewer than asked for where it is too short; `nil`
    ///   where no such track can be found.
    static func first(_ count: Int, in reader: ByteReader, track: UInt32) throws(MediaError) -> [Int64]? {
        var budget = Box.mostBoxes
        var box = try Box.track(track, in: reader, &budget)
        for type in ["mdia", "minf", "stbl"] { box = try box?.child(type, reader, &budget) }
        guard let tables = box else { return nil }
        guard let table = try tables.child("ctts", reader, &budget) else { return Array(repeating: 0, count: count) }
        let runs = table.skipping(8).content  // behind version, flags and count
        var offsets: [Int64] = []
        var place = runs.lowerBound
        while offsets.count < count, runs.upperBound - place >= 8, let run = try reader.bytes(8, at: place) {
            let repeats = min(Int(run.number(at: 0)), count - offsets.count)
            // Version 0 has them unsigned; writers put negative ones there nevertheless.
            offsets += Array(repeating: Int64(Int32(bitPattern: run.number(at: 4))), count: repeats)
            place += 8
        }
        return offsets
    }
}
