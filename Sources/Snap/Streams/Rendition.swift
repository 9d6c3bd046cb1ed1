import SnapBase
import SnapMedia
import SnapPlaylist

/// One media playlist, and the way from a time on it to a frame.
///
/// Segment i begins at S_i, the sum of the durations before it. A frame of it is on screen from S_i plus what lies
/// between its own presentation and that of the segment's first packet: its anchor. So neither the first segment nor
/// the timestamps' origin matter, and discontinuities and wraps are nothing special.
final class Rendition {
    let errors: ErrorSource
    let store: SegmentStore
    let limits: StreamLimits
    private let decodingOptions: DecodingOptions
    private let interrupt: Interrupt
    /// Whether times count by the segments' own timestamps instead of the durations that the playlist declares.
    let usesMediaTimeline: Bool

    private(set) var playlist: MediaPlaylist
    /// Where the playlist's first segment begins on the stream's timeline, which stays when a live window moves on.
    private(set) var origin = MediaTime.zero

    /// What the segments are, once one was opened.
    private(set) var format: SegmentFormat?
    /// What is being decoded: segments, or parts of one that is not complete.
    private var run: (pieces: [Segment.ID], seeker: FrameSeeker)?
    /// Presentations of first packets.
    private var anchors: [Segment.ID: Anchor] = [:]
    /// What runs that ended did.
    private var pastDecoding = DecodingStatistics()

    /// Where a segment begins by its own timestamps.
    struct Anchor {
        let tick: Int64
        let timeBase: TimeBase

        /// The tick so long behind it; times that are asked for may be anything.
        func tick(after time: MediaTime) -> Int64 {
            Ticks.clamped(tick + Ticks.clamped(timeBase.ticks(notAfter: time)))
        }
    }

    init(
        _ playlist: MediaPlaylist, store: SegmentStore, usesMediaTimeline: Bool, decoding: DecodingOptions,
        limits: StreamLimits, interrupt: Interrupt, errors: ErrorSource
    ) {
        self.playlist = playlist
        self.store = store
        self.usesMediaTimeline = usesMediaTimeline
        self.decodingOptions = decoding
        self.limits = limits
        self.interrupt = interrupt
        self.errors = errors
    }

    var decoding: DecodingStatistics {
        guard let current = run?.seeker.statistics else { return pastDecoding }
        return pastDecoding.adding(current)
    }

    /// Puts a newer state of the playlist in place.
    ///
    /// - Parameter origin: Where its first segment begins on the stream's timeline.
    func replace(_ playlist: MediaPlaylist, origin: MediaTime, isRestart: Bool) {
        self.playlist = playlist
        self.origin = origin
        if isRestart {
            endRun()
            store.removeAll()
            anchors = [:]
        } else if let first = playlist.segments.first?.sequence {
            anchors = anchors.filter { $0.key.sequence >= first }
            store.removeSegments(before: first)
        }
    }

    // MARK: Places

    /// A place in the playlist: a segment, and how far into it.
    struct Place {
        var index: Int
        var offset: MediaTime
        /// The time is past the end of the last segment.
        var isPastEnd = false
    }

    /// The segment that holds a time, and the time's place in it.
    func place(at time: MediaTime) throws -> Place {
        let time = max(time - origin, .zero)
        let segments = playlist.segments
        guard let last = segments.indices.last else { throw emptyList() }
        guard let index = playlist.segmentIndex(at: time) else {
            if usesMediaTimeline { return try corrected(from: last, time) }
            return Place(index: last, offset: time - segments[last].start, isPastEnd: true)
        }
        if usesMediaTimeline { return try corrected(from: index, time) }
        return Place(index: index, offset: max(time - segments[index].start, .zero))
    }

    func emptyList() -> SnapError { SnapError(.noVideo, source: errors.name, "the playlist names no segment") }

    // MARK: Runs

    /// A decoder over a window of segments: the one there is, where it fits.
    func seeker(over window: ClosedRange<Int>, share: Int64 = 100) throws -> FrameSeeker {
        try seeker(over: playlist.segments[window].flatMap(\.pieces), share: share)
    }

    /// The same over pieces: segments, and parts.
    func seeker(over pieces: [Segment], share: Int64 = 100) throws -> FrameSeeker {
        let wanted = pieces.map(\.id)
        if let run, run.pieces == wanted { return run.seeker }
        guard let first = pieces.first else { throw emptyList() }
        let (map, opened) = try store.open(first, share: pieces.count > 1 ? 100 : share)
        let format = try (map ?? opened).format()
        self.format = format
        var parts: [SegmentRun.Part] = map.map { map in [{ map }] } ?? []
        if map == nil, playlist.isIFramesOnly, format == .transportStream, !opened.beginsWithTables,
            let tables = try store.tables(of: first)
        {
            parts.append { tables }
        }
        for piece in pieces {
            parts.append { [store] in
                let bytes = try store.bytes(of: piece)
                if map == nil { _ = try bytes.format() }
                return bytes
            }
        }
        endRun()
        let seeker = try FrameSeeker(
            SegmentRun(parts), segments: format, options: decodingOptions, interrupt: interrupt)
        run = (wanted, seeker)
        if let tick = seeker.firstPresentation {
            anchors[first.id] = Anchor(tick: tick, timeBase: seeker.timeBase)
        }
        return seeker
    }

    private func endRun() {
        if let run { pastDecoding = pastDecoding.adding(run.seeker.statistics) }
        run = nil
    }

    /// Where a segment begins by its own timestamps: the presentation of its first packet.
    func anchor(of index: Int, share: Int64 = 100) throws -> Anchor {
        try anchor(of: playlist.segments[index].pieces, share: share)
    }

    /// The same for the first of some pieces.
    func anchor(of pieces: [Segment], share: Int64 = 100) throws -> Anchor {
        guard let first = pieces.first else { throw emptyList() }
        if let known = anchors[first.id] { return known }
        _ = try seeker(over: pieces, share: share)
        guard let anchor = anchors[first.id] else {
            throw SnapError(.noFrame, source: errors.name, "segment \(first.sequence) has no timestamps")
        }
        return anchor
    }

    /// Whether a segment can be decoded together with the one before it.
    func isContinued(from index: Int, to next: Int) -> Bool {
        guard playlist.segments.indices.contains(index), playlist.segments.indices.contains(next) else { return false }
        let (left, right) = (playlist.segments[index], playlist.segments[next])
        return left.domain == right.domain && left.map == right.map && !left.isGap && !right.isGap
    }
}

extension Rendition.Anchor {
    /// The same instant on the turn of the 33-bit clock that another one is on (ISO/IEC 13818-1, 2.4.3.7).
    func unwrapped(near other: Rendition.Anchor) -> Rendition.Anchor {
        guard timeBase.numerator == 1, timeBase.denominator == 90_000 else { return self }
        let turn: Int64 = 1 << 33
        let distance = other.tick - tick
        let turns = (distance + (distance < 0 ? -turn / 2 : turn / 2)) / turn
        return Rendition.Anchor(tick: tick + turns * turn, timeBase: timeBase)
    }
}

extension DecodingStatistics {
    fileprivate func adding(_ other: DecodingStatistics) -> DecodingStatistics {
        var sum = self
        sum.add(other)
        return sum
    }
}

extension MediaTime {
    var halved: MediaTime { scaled(by: 1, over: 2) }
}
