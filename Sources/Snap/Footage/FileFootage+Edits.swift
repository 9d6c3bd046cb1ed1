import SnapBase
import SnapMedia

/// Frames of a track that an edit list shows in parts.
extension FileFootage {
    func frame(
        at target: Moment.Target, next: Moment.Target?, _ wishes: SnapshotOptions, on timeline: EditTimeline
    ) throws(SnapError) -> FootageFrame {
        let place = timeline.place(at: try time(of: target, on: timeline))
        if place.isInGap { throw SnapError(.gap, source: errors.name, "the edit list shows nothing at this time") }
        let nextPlace = next?.time.map { timeline.place(at: $0).tick }
        let isTime = if case .time = target { true } else { false }
        var found = try errors.converting { () throws(MediaError) in
            try find(near: isTime ? place.tick : nil, in: place.range, wishes) { () throws(MediaError) in
                try seeker.frame(shownAt: place.tick, next: nextPlace, onDamage: wishes.onDamage)
            }
        }
        found.isClamped = isTime && place.isPastEnd
        return footageFrame(found, at: place, on: timeline)
    }

    private func time(of target: Moment.Target, on timeline: EditTimeline) throws(SnapError) -> MediaTime {
        switch target {
        case .time(let time): return time
        case .representative: return .zero
        case .lastFrame: return timeline.length
        case .frame:
            throw SnapError(
                .usage, source: errors.name,
                "frames are not counted where an edit list cuts a video, unless it cuts between frames: ask for a time")
        }
    }

    func keyFrame(near time: MediaTime, on timeline: EditTimeline) throws(SnapError) -> FootageFrame? {
        let place = timeline.place(at: time)
        if place.isInGap { return nil }
        let found = try errors.converting { () throws(MediaError) in
            try seeker.keyFrame(near: place.tick, earliest: place.range.lowerBound, latest: place.range.upperBound)
        }
        guard let found else { return nil }
        return footageFrame(found, at: place, on: timeline)
    }

    private func footageFrame(
        _ found: consuming FoundFrame, at place: EditTimeline.Place, on timeline: EditTimeline
    ) -> FootageFrame {
        let pts = found.frame.presentation
        let time = FrameTime(time: timeline.time(of: pts, at: place), pts: pts, timeBase: seeker.timeBase)
        return FootageFrame(found: found, time: time, facts: facts)
    }
}
