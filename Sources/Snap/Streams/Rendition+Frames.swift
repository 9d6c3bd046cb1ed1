import SnapBase
import SnapMedia
import SnapPlaylist

/// From a place in a playlist to its frame: one segment where that is enough, its neighbours where it isn't.
extension Rendition {
    /// How far behind a segment's last frame it is still held, before the next segment's first frame is due.
    private static let longestHold = MediaTime(1, over: 2) ?? .zero

    /// A frame, and the segment that its time lies in.
    struct Taken: ~Copyable {
        var found: FoundFrame
        let index: Int
        let time: FrameTime
        let facts: StreamFacts
        var remark: FootageFrame.Remark?
    }

    /// The frame on screen at a place.
    ///
    /// - Parameter next: The place that will be asked for afterwards, so that the decoder isn't emptied in vain.
    func frame(at place: Place, next: Place? = nil, _ wishes: SnapshotOptions) throws -> Taken {
        try frame(at: place, next: next, wishes, stepsLeft: limits.segmentsLookedAt)
    }

    /// - Parameter stepsLeft: How many segments further a time may be by the segments' own timestamps.
    private func frame(
        at place: Place, next: Place?, _ wishes: SnapshotOptions, stepsLeft: Int
    ) throws -> Taken {
        let (index, offset) = (place.index, place.offset)
        var window = index...index
        // Of a segment that several times lie in, the rest will be wanted too.
        let share = next?.index == index ? 100 : share(of: offset, in: index)
        let anchor = try anchor(of: index, share: share)
        while true {
            let seeker = try seeker(over: window)
            let start = anchor.unwrapped(near: try self.anchor(of: window.lowerBound))
            var target = start.tick(after: offset)
            if window.upperBound > index {
                let end = try self.anchor(of: window.upperBound).unwrapped(near: start)
                if usesMediaTimeline, target >= end.tick {
                    // The segment is so much shorter than declared that nobody asked where the next one begins.
                    guard stepsLeft > 0 else { throw declaredTooFarOff() }
                    let rest = MediaTime(ticks: target - end.tick, timeBase: end.timeBase)
                    let place = Place(index: window.upperBound, offset: rest)
                    return try frame(at: place, next: next, wishes, stepsLeft: stepsLeft - 1)
                }
                // What the next segment shows from its own start on is not due yet; what it shows before that is.
                target = min(target, end.tick - 1)
            }
            let earlier = wider(window, before: index)
            let found: FoundFrame
            do {
                let following = next?.index == index ? next.map { start.tick(after: $0.offset) } : nil
                found = try attempt(seeker, target, following, wishes, isFinal: earlier == nil)
            } catch MediaError.noKeyFrame {
                guard let earlier else { throw undecodable(index) }
                window = earlier
                continue
            }
            // Twice is enough to tell damage from what a segment can't know of the one before.
            let isDoubtful = found.degradation != nil && window.lowerBound == index
            if found.frame.presentation > target || isDoubtful, let earlier {
                window = earlier
                continue
            }
            if found.mayBeFollowed, window.upperBound == index, isContinued(from: index, to: index + 1) {
                // It may stay on screen longer, or frames that are shown before the next segment may be stored in it.
                // Both anchors are needed before the window moves.
                _ = try self.anchor(of: index + 1)
                window = window.lowerBound...(index + 1)
                continue
            }
            if let end = found.end, let next = try due(after: end, target, seeker.timeBase, index) { return next }
            return try taken(found, seeker, index, start.tick, target, isPastEnd: place.isPastEnd)
        }
    }

    /// How much of a segment lies before a place, of 100.
    private func share(of offset: MediaTime, in index: Int) -> Int64 {
        let duration = playlist.segments[index].duration
        // A key frame that is listed alone is wanted whole.
        guard duration > .zero, !playlist.isIFramesOnly else { return 100 }
        let percent = offset.scaled(by: 100 * duration.denominator, over: max(duration.numerator, 1))
        return min(max(percent.wholeSeconds, 0), 100)
    }

    /// The window with one segment more at its start; `nil` where none can be decoded together with it.
    private func wider(_ window: ClosedRange<Int>, before index: Int) -> ClosedRange<Int>? {
        let earlier = window.lowerBound - 1
        guard index - earlier <= limits.segmentsBack, isContinued(from: earlier, to: window.lowerBound) else {
            return nil
        }
        return earlier...window.upperBound
    }

    private func attempt(
        _ seeker: FrameSeeker, _ target: Int64, _ next: Int64?, _ wishes: SnapshotOptions, isFinal: Bool
    ) throws -> FoundFrame {
        if let key = try seeker.keyFrame(near: target, within: wishes.tolerance) { return key }
        seeker.expectFields(for: wishes.deinterlacing)
        // A frame may only be damaged for want of the segment before.
        let policy = isFinal || wishes.onDamage == .keep ? wishes.onDamage : .nearest
        let found = try seeker.frame(shownAt: target, next: next, onDamage: policy)
        return try seeker.withNeighbours(found, for: wishes.deinterlacing)
    }

    /// Behind the last frame of a segment by more than can be a rounded duration there is a hole: the next segment's
    /// first frame is given, and said to be.
    private func due(after end: Int64, _ target: Int64, _ base: TimeBase, _ index: Int) throws -> Taken? {
        guard MediaTime(ticks: target - end, timeBase: base) >= Self.longestHold,
            playlist.segments.indices.contains(index + 1)
        else { return nil }
        var next = try frame(at: Place(index: index + 1, offset: .zero), SnapshotOptions())
        next.remark = .init(
            code: "hole",
            sentence: "the stream has no frame at this time, though its playlist says so; this is the next one")
        return next
    }

    /// - Parameters:
    ///   - start: A tick, and `time` when it is on the playlist; by default, that is the start of the segment.
    private func taken(
        _ found: consuming FoundFrame, _ seeker: FrameSeeker, _ index: Int, _ start: Int64, at time: MediaTime? = nil,
        _ target: Int64 = .max, isPastEnd: Bool = false
    ) throws -> Taken {
        var found = found
        // By the declared durations it is known before; by the timestamps, only the last segment's frames tell.
        let isInLast = index == playlist.segments.count - 1
        found.isClamped = isPastEnd || usesMediaTimeline && isInLast && found.isClamped
        let time = FrameTime(
            time: origin + (try time ?? startOnTimeline(of: index))
                + MediaTime(ticks: found.frame.presentation - start, timeBase: seeker.timeBase),
            pts: found.frame.presentation, timeBase: seeker.timeBase)
        var remark: FootageFrame.Remark?
        if found.frame.presentation > target, found.frame.presentation > start {
            remark = .init(
                code: "no-key-frame",
                sentence: "no key frame comes before this time; this is the first frame that can be decoded"
            )
        }
        return Taken(found: found, index: index, time: time, facts: try seeker.streamFacts(), remark: remark)
    }

    private func undecodable(_ index: Int) -> SnapError {
        let number = playlist.segments[index].sequence
        return SnapError(
            .noFrame, source: errors.name,
            "segment \(number) has no key frame to begin with, nor have up to \(limits.segmentsBack) before it")
    }

    // MARK: Other frames

    /// The last frame that can be decoded, of a segment and those before it.
    func lastFrame(of index: Int, _ wishes: SnapshotOptions) throws -> Taken {
        var window = index...index
        while true {
            let seeker = try seeker(over: window)
            let start = try anchor(of: index).unwrapped(near: anchor(of: window.lowerBound))
            do {
                seeker.expectFields(for: wishes.deinterlacing)
                let last = try seeker.lastFrame(onDamage: wishes.onDamage)
                let found = try seeker.withNeighbours(last, for: wishes.deinterlacing)
                let earlier = wider(window, before: index)
                if found.degradation == nil || earlier == nil {
                    return try taken(found, seeker, index, start.tick)
                }
                window = earlier ?? window
            } catch MediaError.noKeyFrame {
                guard let earlier = wider(window, before: index) else { throw undecodable(index) }
                window = earlier
            }
        }
    }

    /// The last frame of a live stream by the parts from its newest key frame on.
    ///
    /// - Parameter index: Of the segment that the last part is of.
    /// - Returns: `nil` where a segment has to be read from its beginning.
    func lastFrame(ofParts parts: [Segment], in index: Int, _ wishes: SnapshotOptions) throws -> Taken? {
        guard let first = parts.first, !usesMediaTimeline else { return nil }
        let parts = wishes.tolerance.isExact ? parts : [first]
        do {
            let anchor = try anchor(of: parts)
            let seeker = try seeker(over: parts)
            let found: FoundFrame
            if wishes.tolerance.isExact {
                seeker.expectFields(for: wishes.deinterlacing)
                let last = try seeker.lastFrame(onDamage: wishes.onDamage)
                found = try seeker.withNeighbours(last, for: wishes.deinterlacing)
            } else {
                guard let key = try seeker.keyFrame(near: anchor.tick, earliest: nil, latest: nil) else { return nil }
                found = key
            }
            // A part may say that it can be decoded alone, and the whole segment knows better.
            if found.degradation != nil { return nil }
            return try taken(found, seeker, index, anchor.tick, at: first.start)
        } catch MediaError.noKeyFrame {
            return nil
        } catch MediaError.unrecognized {
            return nil
        } catch MediaError.noVideo {
            // A transport stream's tables may stand at the start of its segments only.
            return nil
        }
    }

    /// The last key frame at or before a place, or the first after it in its segment; `nil` where there is none.
    func keyFrame(at place: Place) throws -> Taken? {
        let anchor = try anchor(of: place.index, share: share(of: place.offset, in: place.index))
        let seeker = try seeker(over: place.index...place.index)
        let target = anchor.tick(after: place.offset)
        guard let found = try seeker.keyFrame(near: target, earliest: nil, latest: nil) else { return nil }
        return try taken(found, seeker, place.index, anchor.tick)
    }

    /// A frame by its number in presentation order, counted from the start of the playlist.
    func frame(number: Int, _ wishes: SnapshotOptions) throws -> Taken {
        guard !playlist.isLive else {
            throw SnapError(.usage, source: errors.name, "frames of a live stream can't be counted: write a time")
        }
        var left = number
        var first = 0
        while true {
            var last = first
            while isContinued(from: last, to: last + 1) { last += 1 }
            let seeker = try seeker(over: first...last)
            let start = try anchor(of: first)
            seeker.expectFields(for: wishes.deinterlacing)
            let found = try seeker.frame(number: left, onDamage: wishes.onDamage)
            if !found.isClamped || last + 1 == playlist.segments.count {
                let found = try seeker.withNeighbours(found, for: wishes.deinterlacing)
                let isPastEnd = found.isClamped
                return try taken(found, seeker, first, start.tick, isPastEnd: isPastEnd)
            }
            left -= seeker.countedFrames
            first = last + 1
        }
    }

    /// Where a segment begins, from the start of the playlist.
    private func startOnTimeline(of index: Int) throws -> MediaTime {
        usesMediaTimeline ? try mediaStart(of: index) : playlist.segments[index].start
    }
}
