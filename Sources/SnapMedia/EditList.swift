import SnapBase

/// What of a video is shown, one part after the other: the edit list of an MP4 or QuickTime track (ISO/IEC 14496-12, 8.6.6),
/// which libavformat applies and does not tell, or the ordered chapters of Matroska.
struct EditList {
    struct Edit {
        /// In units of ``timescale``.
        let length: Int64
        /// Where in the track's own time it begins, in its ticks; negative where nothing is shown.
        let start: Int64
        /// How fast it is shown: ``normalRate``, or more or less; 0 for a still.
        let rate: Int64
    }

    static let normalRate: Int64 = 1 << 16

    /// How many edits there are; 0 without a list.
    private(set) var count = 0
    /// Those that are looked at.
    private(set) var edits: [Edit] = []
    /// Units in a second; of an MP4 those of the movie.
    private(set) var timescale: Int32 = 0
    /// Whether the only edit that shows something begins while a frame is on screen that came before: libavformat leaves
    /// that frame out, and begins with the next one.
    private(set) var beginsWithinFrame = false
    /// Whether the frames are listed in fragments, where an edit without a length is one that goes on.
    private(set) var isOfFragments = false
    /// Whether it does nothing but cut off the beginning of what is listed in fragments, which then has times before 0.
    var cutsFragments: Bool {
        guard isOfFragments, count == 1, let edit = edits.first else { return false }
        return edit.start > 0 && edit.rate == Self.normalRate
    }
    /// Whether libavformat takes no notice of it.
    private(set) var isLeftAlone = false
    /// Whether there are parts besides that show other files.
    private(set) var showsOtherFiles = false
    private static let most = 1024

    init() {}

    /// - Parameters:
    ///   - end: Of the stream, in ticks; `nil` where it isn't known.
    ///   - tolerance: By so many ticks the last chapter may end before that and show all of it.
    init(_ chapters: OrderedChapters, timeBase: TimeBase, end: Int64?, tolerance: Int64) {
        showsOtherFiles = chapters.showsOtherFiles
        func tick(_ nanoseconds: Int64) -> Int64 {
            // The nearest, for players round alike.
            let doubled = MediaTime(nanoseconds, over: Self.nanosecondsInSecond)?.scaled(by: 2, over: 1) ?? .zero
            return (Ticks.clamped(timeBase.ticks(notAfter: doubled)) + 1) >> 1
        }
        guard let first = chapters.ranges.first else { return }
        let isWhole = end.map { first.lowerBound == 0 && tick(first.upperBound) >= $0 - tolerance } ?? false
        if chapters.ranges.count == 1, isWhole { return }
        isLeftAlone = true
        timescale = Int32(Self.nanosecondsInSecond)
        edits = chapters.ranges.prefix(Self.most).map {
            Edit(length: $0.upperBound - $0.lowerBound, start: tick($0.lowerBound), rate: Self.normalRate)
        }
        count = edits.count
    }

    private static let nanosecondsInSecond: Int64 = 1_000_000_000

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
