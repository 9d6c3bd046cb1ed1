/// The edit list of an MP4 or QuickTime track (ISO/IEC 14496-12, 8.6.6), which libavformat applies and does not tell.
struct EditList {
    struct Edit {
        /// In units of the movie's ``timescale``.
        let length: Int64
        /// Where in the track's own time it begins; negative where nothing is shown.
        let start: Int64
        /// How fast it is shown: ``normalRate``, or more or less; 0 for a still.
        let rate: Int64
    }

    static let normalRate: Int64 = 1 << 16

    /// How many edits there are; 0 without a list.
    private(set) var count = 0
    /// Those that are looked at.
    private(set) var edits: [Edit] = []
    /// Of the movie: units in a second.
    private(set) var timescale: Int32 = 0
    /// Whether the only edit that shows something begins while a frame is on screen that came before: libavformat leaves
    /// that frame out, and begins with the next one.
    private(set) var beginsWithinFrame = false
    /// Whether the frames are listed in fragments, where an edit without a length is one that goes on.
    private(set) var isOfFragments = false
    private static let most = 1024

    init() {}

    init(of track: UInt32, in reader: ByteReader) throws(MediaError) {
        var budget = Box.mostBoxes
        let holder = try Box.track(track, in: reader, &budget)?.child("edts", reader, &budget)
        guard let list = try holder?.child("elst", reader, &budget),
            let head = try reader.bytes(8, at: list.content.lowerBound)
        else { return }
        count = Int(head.number(at: 4))
        // Version 1 has 64 bits for lengths and starts.
        let (word, size): (Int, Int) = head[0] == 1 ? (8, 20) : (4, 12)
        let room = Int(clamping: (Int64(list.content.count) - 8) / Int64(size))
        let bytes = try reader.bytes(size * max(0, min(count, room, Self.most)), at: list.content.lowerBound + 8) ?? []
        edits = stride(from: 0, to: bytes.count, by: size).map { place in
            Edit(
                length: bytes.signedNumber(at: place, bytes: word),
                start: bytes.signedNumber(at: place + word, bytes: word),
                rate: max(0, bytes.signedNumber(at: place + 2 * word, bytes: 4)))
        }
        if let movie = try Box(content: 0..<(reader.size() ?? .max)).child("moov", reader, &budget) {
            timescale = try Self.timescale(of: movie, reader, &budget) ?? 0
            isOfFragments = try movie.child("mvex", reader, &budget) != nil
        }
        let shown = edits.filter { $0.start >= 0 }
        if shown.count == 1, let start = shown.first?.start, start > 0 {
            let before = try CompositionTimes.last(notAfter: Ticks.clamped(start), in: reader, track: track)
            beginsWithinFrame = before.map { $0 < start } ?? false
        }
    }

    private static func timescale(
        of movie: Box, _ reader: ByteReader, _ budget: inout Int
    ) throws(MediaError) -> Int32? {
        guard let header = try movie.child("mvhd", reader, &budget),
            let bytes = try reader.bytes(24, at: header.content.lowerBound)
        else { return nil }
        return Int32(exactly: bytes.number(at: bytes[0] == 1 ? 20 : 12))
    }
}

extension [UInt8] {
    /// Two's complement, the most significant byte first.
    fileprivate func signedNumber(at index: Int, bytes count: Int) -> Int64 {
        count == 4
            ? Int64(Int32(bitPattern: number(at: index)))
            : Int64(bitPattern: UInt64(number(at: index)) << 32 | UInt64(number(at: index + 4)))
    }
}
