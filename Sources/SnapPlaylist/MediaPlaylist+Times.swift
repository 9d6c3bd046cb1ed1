package import SnapBase

/// From times to segments.
extension MediaPlaylist {
    /// How much earlier than a segment a time may be and still mean it: durations are rounded.
    private static let slack = MediaTime(1, over: 1000) ?? .zero

    /// The segment that holds a time: the last that begins at or before it, with a millisecond of slack.
    ///
    /// - Parameter time: From the start of the playlist.
    /// - Returns: `nil` before the first segment, and past the end of the last.
    package func segmentIndex(at time: MediaTime) -> Int? {
        guard time < duration else { return nil }
        return segments.partitioningIndex { $0.start > time + Self.slack }.flatMap { $0 > 0 ? $0 - 1 : nil }
    }

    /// The date of a segment's first sample: its own, or reckoned from the nearest one before it, or behind it, within
    /// the same discontinuity domain.
    package func date(ofSegment index: Int) -> WallClock? {
        let segment = segments[index]
        if let own = segment.programDate { return own }
        for other in segments[..<index].reversed() {
            guard other.domain == segment.domain else { break }
            if let date = other.programDate { return date + (segment.start - other.start) }
        }
        for other in segments[(index + 1)...] {
            guard other.domain == segment.domain else { break }
            if let date = other.programDate { return date + (segment.start - other.start) }
        }
        return nil
    }

    /// Where a date lies in a playlist.
    package enum DatePlace: Sendable, Hashable {
        /// From the start of the playlist.
        case time(MediaTime)
        /// No segment has a date.
        case undated
        /// Before the first segment, behind the last, or in a hole between two: with what the dates go from and to.
        case outside(from: WallClock, to: WallClock)
    }

    /// The time on the playlist of a date. Where dates overlap or jump back, the last segment that holds it counts.
    ///
    /// - Complexity: Linear in the number of segments.
    package func place(of date: WallClock) -> DatePlace {
        var window: ClosedRange<WallClock>?
        var found: MediaTime?
        for (index, begin) in dates.enumerated() {
            guard let begin else { continue }
            let (segment, end) = (segments[index], begin + segments[index].duration)
            window = min(window?.lowerBound ?? begin, begin)...max(window?.upperBound ?? end, end)
            if begin <= date, date < end { found = segment.start + (date - begin) }
        }
        if let found { return .time(found) }
        return window.map { .outside(from: $0.lowerBound, to: $0.upperBound) } ?? .undated
    }

    /// The dates of all segments; see ``date(ofSegment:)``.
    ///
    /// - Complexity: Linear in the number of segments.
    package var dates: [WallClock?] {
        var dates: [WallClock?] = []
        var known: (domain: Int, date: WallClock, start: MediaTime)?
        var askedDomain: Int?
        for index in segments.indices {
            let segment = segments[index]
            if let own = segment.programDate {
                known = (segment.domain, own, segment.start)
            } else if known?.domain != segment.domain, askedDomain != segment.domain {
                askedDomain = segment.domain
                known = date(ofSegment: index).map { (segment.domain, $0, segment.start) }
            }
            let isKnown = known?.domain == segment.domain
            dates.append(isKnown ? known.map { $0.date + (segment.start - $0.start) } : nil)
        }
        return dates
    }
}

extension [Segment] {
    /// The first index from which on a condition holds; `nil` only for an empty list, `count` where it never does.
    fileprivate func partitioningIndex(where holds: (Segment) -> Bool) -> Int? {
        guard !isEmpty else { return nil }
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
