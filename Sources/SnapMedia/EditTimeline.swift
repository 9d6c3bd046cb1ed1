package import SnapBase

/// The parts of a track that an edit list shows, one after the other, where there are several, or one at another speed, that
/// begins within a frame, or without a length.
///
/// libavformat leaves out a frame that begins before its part, and all of a part without a length. Where there are several,
/// it lists the packets of the track once for each, with times that say little where frames are reordered. So it is told to
/// leave such lists alone, and times are taken from them here.
package struct EditTimeline: Sendable {
    /// What is shown from one time to the next.
    private struct Part {
        let start: MediaTime
        let end: MediaTime
        /// Where in the stream it begins, in ticks; `nil` where nothing is shown.
        let tick: Int64?
        /// In 1/65536; 0 for a still.
        let rate: Int64
    }

    /// A place in the stream.
    package struct Place: Sendable {
        /// In ticks of the stream.
        package let tick: Int64
        /// The ticks of the stream that the part shows.
        package let range: ClosedRange<Int64>
        /// Nothing is shown at the time asked for; this is what was shown last.
        package let isInGap: Bool
        /// The time asked for is past the end.
        package let isPastEnd: Bool
        fileprivate let part: Int
    }

    private var parts: [Part] = []
    private let timeBase: TimeBase

    /// The length of all parts.
    package var length: MediaTime { parts.last?.end ?? .zero }

    /// Whether libavformat doesn't do what a list says.
    static func isNeeded(for list: EditList) -> Bool {
        let edits = shown(of: list)
        let isPlain = edits.count < 2 && edits.allSatisfy { $0.rate == EditList.normalRate && $0.length > 0 }
        return list.timescale > 0 && (!isPlain || (list.beginsWithinFrame || list.isLeftAlone) && !edits.isEmpty)
    }

    /// Nothing is shown before the first part: time begins with it. A part without a length is shown up to the end.
    private static func shown(of list: EditList) -> [EditList.Edit] {
        list.edits.drop { $0.start < 0 }.filter { $0.length > 0 || $0.start >= 0 && !list.isOfFragments }
    }

    /// - Parameter streamEnd: When the stream ends, in ticks; `nil` where that is not known.
    init(_ list: EditList, timeBase: TimeBase, streamEnd: Int64?) {
        self.timeBase = timeBase
        let edits = Self.shown(of: list)
        for edit in edits {
            let start = length
            let tick = edit.start < 0 ? nil : Ticks.clamped(edit.start)
            let rest = MediaTime(ticks: max((streamEnd ?? 0) - (tick ?? 0), 0), timeBase: timeBase)
            let unit = TimeBase(1, over: list.timescale)
            let listed = unit.map { MediaTime(ticks: edit.length, timeBase: $0) } ?? .zero
            // What the only part has beyond the end is rounded, or wrong.
            let isCapped = edits.count == 1 && streamEnd != nil && edit.rate == EditList.normalRate
            let duration = edit.length <= 0 ? rest : isCapped ? min(listed, rest) : listed
            parts.append(Part(start: start, end: start + duration, tick: tick, rate: edit.rate))
        }
    }

    /// What is shown at a time; in a gap and past the end, what was shown last.
    package func place(at time: MediaTime) -> Place {
        let index = parts.lastIndex { $0.start <= time } ?? 0
        let shown = parts[...index].lastIndex { $0.tick != nil } ?? 0
        let isPastEnd = time >= length
        let part = parts[shown]
        let first = part.tick ?? 0
        // Up to the end, which is no longer shown.
        let last = max(tick(at: part.end, in: part) - 1, first)
        let tick = time < part.end ? tick(at: max(time, part.start), in: part) : last
        return Place(
            tick: min(tick, last), range: first...last, isInGap: shown < index && !isPastEnd, isPastEnd: isPastEnd,
            part: shown)
    }

    private func tick(at time: MediaTime, in part: Part) -> Int64 {
        let distance = (time - part.start).scaled(by: part.rate, over: EditList.normalRate)
        return Ticks.clamped((part.tick ?? 0) + Ticks.clamped(timeBase.ticks(notAfter: distance)))
    }

    /// When a frame comes on screen that was found at a place.
    ///
    /// - Parameter tick: Its presentation in the stream. It may be before its part, which then begins within it.
    package func time(of tick: Int64, at place: Place) -> MediaTime {
        let part = parts[place.part]
        guard part.rate > 0, let first = part.tick, tick > first else { return part.start }
        let distance = MediaTime(ticks: tick - first, timeBase: timeBase)
            .scaled(by: EditList.normalRate, over: part.rate)
        return min(part.start + distance, part.end)
    }
}
