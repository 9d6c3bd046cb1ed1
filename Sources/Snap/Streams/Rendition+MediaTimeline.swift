import SnapBase
import SnapPlaylist

/// Times by the segments' own timestamps (`--timeline media`), whatever durations the playlist declares.
extension Rendition {
    /// A segment that was looked at, and when it begins.
    private struct Known {
        let index: Int
        let start: MediaTime
    }

    /// The place of a time that the declared durations put into a segment, by the timestamps of that one and others.
    ///
    /// Declared durations that are off add up, so that the right segment may be hundreds away. Each segment that is
    /// looked at tells how far off they are up to there, and the next guess is drawn from that: drift that is the same
    /// all over takes one guess, any other a few.
    ///
    /// - Parameter time: From the start of the playlist.
    func corrected(from declared: Int, _ time: MediaTime) throws -> Place {
        let domain = domain(around: declared)
        // Times count from here, so that it lies before what is looked for, which rounding may have put a little earlier.
        var low = Known(index: domain.lowerBound, start: playlist.segments[domain.lowerBound].start)
        let time = max(time, low.start)
        var high: Known?
        var guess = declared
        for _ in 0..<limits.segmentsLookedAt {
            let known = Known(index: guess, start: try mediaStart(of: guess))
            if known.start <= time { low = known } else { high = known }
            let isNear = low.index == guess && time < low.start + likelyLength(of: low, in: domain).halved
            guard !isNear, let next = nextGuess(time, low, high, in: domain) else {
                return Place(index: low.index, offset: max(time - low.start, .zero))
            }
            guess = next
        }
        throw declaredTooFarOff()
    }

    func declaredTooFarOff() -> SnapError {
        SnapError(
            .noFrame, source: errors.name,
            "the declared durations are off in too many ways here, so that --timeline media can't find the time")
    }

    /// Where a segment begins by its own timestamps, counted from the first segment of its discontinuity domain.
    func mediaStart(of index: Int) throws -> MediaTime {
        let first = domain(around: index).lowerBound
        let from = try anchor(of: first)
        let here = try anchor(of: index).unwrapped(near: from)
        return playlist.segments[first].start
            + MediaTime(ticks: here.tick - from.tick, timeBase: here.timeBase)
    }

    /// The segments whose timestamps are on one clock with a segment's, without gaps at their start, which have none.
    private func domain(around index: Int) -> ClosedRange<Int> {
        let segments = playlist.segments
        var (first, last) = (index, index)
        while first > 0, segments[first - 1].domain == segments[index].domain { first -= 1 }
        while last + 1 < segments.count, segments[last + 1].domain == segments[index].domain { last += 1 }
        while first < index, segments[first].isGap { first += 1 }
        return first...last
    }

    /// How long a segment is: as declared, or shorter if those before it were on average.
    private func likelyLength(of segment: Known, in domain: ClosedRange<Int>) -> MediaTime {
        let declared = playlist.segments[segment.index].duration
        let count = Int64(segment.index - domain.lowerBound)
        guard count > 0 else { return declared }
        return min(declared, (segment.start - playlist.segments[domain.lowerBound].start).scaled(by: 1, over: count))
    }

    /// The segment to look at next, between one that begins early enough and one that begins too late.
    ///
    /// - Returns: `nil` where the first of the two must be it.
    private func nextGuess(_ time: MediaTime, _ low: Known, _ high: Known?, in domain: ClosedRange<Int>) -> Int? {
        let segments = playlist.segments
        let candidates = (low.index + 1..<(high?.index ?? domain.upperBound + 1)).filter { !segments[$0].isGap }
        guard let nearest = candidates.first, let farthest = candidates.last else { return nil }
        let first = Known(index: domain.lowerBound, start: segments[domain.lowerBound].start)
        // Between the two, or on from the first one at the rate so far.
        let (from, to) = high.map { (low, $0) } ?? (first, low)
        let declared = segments[to.index].start - segments[from.index].start
        let real = to.start - from.start
        guard declared > .zero, real > .zero else { return nearest }
        let ahead = (time - low.start).scaled(by: declared.numerator, over: declared.denominator)
            .scaled(by: real.denominator, over: real.numerator)
        let guess = playlist.segmentIndex(at: segments[low.index].start + ahead) ?? farthest
        return candidates.last { $0 <= guess } ?? nearest
    }
}
