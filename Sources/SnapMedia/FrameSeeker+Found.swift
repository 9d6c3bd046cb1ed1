package import SnapBase

/// A frame that was asked for, with what must be said about it.
package struct FoundFrame: ~Copyable {
    package let frame: VideoFrame
    /// The frames around it, where it is interlaced and that was asked for.
    package var neighbours = FrameNeighbours()
    /// The time asked for is past the end; this is the last frame.
    package var isClamped = false
    /// When the last frame's time on screen is over, in ticks of the stream; `nil` where there are frames behind it.
    package var end: Int64?
    /// Whether segments behind those that were read may hold a frame that is shown between this one and the time asked
    /// for: this one's own time on screen is over by then.
    package var mayBeFollowed = false
    /// Why the frame is not the one asked for, or not whole.
    package var degradation: Degradation?

    /// A frame that is given although something is wrong, in words for a receipt.
    package enum Degradation: Sendable, Hashable {
        /// The frame asked for lost data; this is the nearest that did not.
        case replacedDamaged
        /// The frame lost data, and was wanted nevertheless.
        case damaged
        /// Frames before this one were lost, so that its number is not sure.
        case miscounted
        /// The source ends before the time asked for, though its container lists more.
        case truncated
    }
}

extension FrameSeeker {
    /// Decodes the frame that is on screen at a time.
    ///
    /// A frame with presentation 5.0 s that is followed by one at 6.0 s is on screen in [5.0, 6.0). Before the first
    /// frame the first is given, after the end the last.
    ///
    /// - Parameters:
    ///   - target: In ticks of ``timeBase``, as the stream counts them: ``origin`` is the first frame.
    ///   - next: The time that will be asked for afterwards; `nil` for none.
    ///   - onDamage: What to do about a frame that lost data.
    /// - Complexity: Decodes from the key frame before: up to one group of pictures.
    package func frame(
        shownAt target: Int64, next: Int64? = nil, onDamage: DamagePolicy = .nearest
    ) throws(MediaError) -> FoundFrame {
        let target = Ticks.clamped(target)
        return try whole { () throws(MediaError) in try findFrame(shownAt: target, next: next, onDamage) }
    }

    func findFrame(
        shownAt target: Int64, next: Int64?, _ onDamage: DamagePolicy
    ) throws(MediaError) -> FoundFrame {
        try locate(target, next: next)
        let ending = try ending(at: target)
        guard let time = shown.presentation else { throw noFrame() }
        let end = ending == .past ? try knownEnd().end : nil
        // Of what the file has no more, nothing was lost on the way.
        let isLost = shown.isDamaged || ending != .truncated && damage.isMissing(after: time, notAfter: target)
        var found = isLost ? try undamaged(target, onDamage) : FoundFrame(frame: try trustedFrame(target))
        found.end = end
        if demuxer.segments != nil, stage == .ended || stage == .draining && !isDrainedEarly {
            let duration = found.frame.duration ?? lastDistance ?? clock.nominalDuration
            found.mayBeFollowed = found.frame.presentation + duration <= target
        }
        return try finished(found, ending, onDamage)
    }

    /// The last frame of the stream.
    package func lastFrame(onDamage: DamagePolicy = .nearest) throws(MediaError) -> FoundFrame {
        try whole { () throws(MediaError) in try findLastFrame(onDamage) }
    }

    private func findLastFrame(_ onDamage: DamagePolicy) throws(MediaError) -> FoundFrame {
        let end = try streamEnd()
        // To the real end: the last packets of some containers have no times to aim at.
        try locate(Ticks.limit, next: nil, from: end.lastPresentation)
        guard let last = shown.presentation else { throw noFrame() }
        let isLost = shown.isDamaged || damage.isMissing(after: last, notAfter: Ticks.limit)
        let found =
            isLost
            ? try undamaged(max(last, end.lastPresentation), onDamage) : FoundFrame(frame: try trustedFrame(last))
        return try finished(found, end.isTruncated ? .truncated : .within, onDamage)
    }

    /// Where a time lies in respect of the end of the stream.
    enum Ending { case within, past, truncated }

    /// To be asked when the frame at a time is in ``shown``: a stream that ended behind it may have ended before.
    private func ending(at target: Int64) throws(MediaError) -> Ending {
        guard stage == .ended, upcoming.presentation == nil, let time = shown.presentation, target > time else {
            return .within
        }
        let end = try knownEnd()
        return end.isTruncated ? .truncated : target >= end.end ? .past : .within
    }

    /// Adds to a frame what the end of the stream makes of it.
    func finished(
        _ frame: consuming FoundFrame, _ ending: Ending, _ onDamage: DamagePolicy
    ) throws(MediaError) -> FoundFrame {
        var found = frame
        switch ending {
        case .within: break
        case .past: found.isClamped = true
        case .truncated:
            if onDamage == .fail { throw .damaged("the file ends before this time, though it lists frames there") }
            if found.degradation != .damaged { found.degradation = .truncated }
        }
        return found
    }

    /// What the end of the decoded stream is for a number of frames that it does not reach.
    func endingPastLastFrame() throws(MediaError) -> Ending { try knownEnd().isTruncated ? .truncated : .past }

    func currentFrame() throws(MediaError) -> VideoFrame {
        switch shown {
        case .some(let frame): return try frame.copy()
        case .none: throw noFrame()
        }
    }

    /// The end of the stream, seen from its last decoded frame: no need to measure it again.
    private func knownEnd() throws(MediaError) -> StreamEnd {
        if let measuredEnd { return measuredEnd }
        let frame = try currentFrame()
        let duration = frame.duration ?? lastDistance ?? clock.nominalDuration
        return StreamEnd(
            lastPresentation: frame.presentation, end: frame.presentation + duration,
            isTruncated: demuxer.endsEarly(behind: lastPassedDecodingTime))
    }
}
