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
    /// The segments that are being decoded, by sequence number.
    private var run: (window: ClosedRange<UInt64>, seeker: FrameSeeker)?
    /// Presentations of first packets, by sequence number, in ticks.
    private var anchors: [UInt64: Anchor] = [:]
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
            anchors = anchors.filter { $0.key >= first }
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
            return Place(index: last, offset: time - segments[last].start, isPastEnd: true)
        }
        var place = Place(index: index, offset: max(time - segments[index].start, .zero))
        if usesMediaTimeline { place = try corrected(place, time) }
        return place
    }

    /// Corrects a place by the timestamps of the segments around it.
    private func corrected(_ place: Place, _ time: MediaTime) throws -> Place {
        var index = place.index
        let domain = playlist.segments[index].domain
        // Declared durations that are off add up; how many segments are looked at for that is bounded.
        for _ in 0..<8 {
            let start = try mediaStart(of: index)
            if time < start, index > 0, playlist.segments[index - 1].domain == domain {
                index -= 1
            } else if index + 1 < playlist.segments.count, playlist.segments[index + 1].domain == domain,
                !playlist.segments[index + 1].isGap, time >= start + playlist.segments[index].duration.halved,
                time >= (try mediaStart(of: index + 1))
            {
                index += 1
            } else {
                return Place(index: index, offset: max(time - start, .zero))
            }
        }
        throw SnapError(
            .noFrame, source: errors.name,
            "the declared durations are off by many segments here, so that --timeline media can't find the time")
    }

    /// Where a segment begins by its own timestamps, counted from the first segment of its discontinuity domain.
    func mediaStart(of index: Int) throws -> MediaTime {
        let domain = playlist.segments[index].domain
        let first = playlist.segments.firstIndex { $0.domain == domain } ?? index
        let from = try anchor(of: first)
        let here = try anchor(of: index).unwrapped(near: from)
        return playlist.segments[first].start
            + MediaTime(ticks: here.tick - from.tick, timeBase: here.timeBase)
    }

    func emptyList() -> SnapError { SnapError(.noVideo, source: errors.name, "the playlist names no segment") }

    // MARK: Runs

    /// A decoder over a window of segments: the one there is, where it fits.
    func seeker(over window: ClosedRange<Int>, share: Int64 = 100) throws -> FrameSeeker {
        let segments = playlist.segments
        let wanted = segments[window.lowerBound].sequence...segments[window.upperBound].sequence
        if let run, run.window == wanted { return run.seeker }
        let first = segments[window.lowerBound]
        let (map, opened) = try store.open(first, share: window.count > 1 ? 100 : share)
        let format = try (map ?? opened).format()
        self.format = format
        var parts: [SegmentRun.Part] = map.map { map in [{ map }] } ?? []
        if playlist.isIFramesOnly, format == .transportStream, let tables = try store.tables(of: first) {
            parts.append { tables }
        }
        for segment in segments[window] {
            parts.append { [store] in
                let bytes = try store.bytes(of: segment)
                if map == nil { _ = try bytes.format() }
                return bytes
            }
        }
        endRun()
        let seeker = try FrameSeeker(
            SegmentRun(parts), segments: format, options: decodingOptions, interrupt: interrupt)
        run = (wanted, seeker)
        if let tick = seeker.firstPresentation {
            anchors[first.sequence] = Anchor(tick: tick, timeBase: seeker.timeBase)
        }
        return seeker
    }

    private func endRun() {
        if let run { pastDecoding = pastDecoding.adding(run.seeker.statistics) }
        run = nil
    }

    /// Where a segment begins by its own timestamps: the presentation of its first packet.
    func anchor(of index: Int, share: Int64 = 100) throws -> Anchor {
        let segment = playlist.segments[index]
        if let known = anchors[segment.sequence] { return known }
        _ = try seeker(over: index...index, share: share)
        guard let anchor = anchors[segment.sequence] else {
            throw SnapError(.noFrame, source: errors.name, "segment \(segment.sequence) has no timestamps")
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
