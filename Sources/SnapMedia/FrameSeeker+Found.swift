package import SnapBase

/// A frame that was asked for, with what must be said about it.
package struct FoundFrame: ~Copyable {
    package let frame: VideoFrame
    /// The time asked for is past the end; this is the last frame.
    package var isClamped = false
    /// Why the frame is not the one asked for, or not whole.
    package var degradation: Degradation?

    /// A frame that is given although something is wrong, in words for a receipt.
    package enum Degradation: Sendable, Hashable {
        /// The frame asked for lost data; this is the nearest that did not, so many ticks away.
        case replacedDamaged
        /// The frame lost data, and was wanted nevertheless.
        case damaged
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

    private func findFrame(
        shownAt target: Int64, next: Int64?, _ onDamage: DamagePolicy
    ) throws(MediaError) -> FoundFrame {
        try locate(target, next: next)
        var found = FoundFrame(frame: try currentFrame())
        if found.frame.isDamaged || damage.isMissing(after: found.frame.presentation, notAfter: target) {
            found = try undamaged(target, onDamage)
        } else if stage == .ended, upcoming.presentation == nil, target > found.frame.presentation {
            let end = try knownEnd(after: found.frame)
            if end.isTruncated {
                found.degradation = .truncated
                if onDamage == .fail { throw .damaged("the file ends before this time, though it lists frames there") }
            } else {
                found.isClamped = target >= end.end
            }
        }
        return found
    }

    /// The last frame of the stream.
    package func lastFrame(onDamage: DamagePolicy = .nearest) throws(MediaError) -> FoundFrame {
        try whole { () throws(MediaError) in try findLastFrame(onDamage) }
    }

    private func findLastFrame(_ onDamage: DamagePolicy) throws(MediaError) -> FoundFrame {
        let end = try streamEnd()
        if !canContinue(to: end.lastPresentation) { try reposition(before: end.lastPresentation) }
        // To the real end: the last packets of some containers have no times to aim at.
        try advance(to: .max)
        guard let last = shown.presentation else { throw noFrame() }
        var found = shown.isDamaged ? try undamaged(last, onDamage) : FoundFrame(frame: try currentFrame())
        if end.isTruncated, found.degradation == nil { found.degradation = .truncated }
        return found
    }

    func currentFrame() throws(MediaError) -> VideoFrame {
        switch shown {
        case .some(let frame): return try frame.copy()
        case .none: throw noFrame()
        }
    }

    /// The end of the stream, seen from its last decoded frame: no need to measure it again.
    private func knownEnd(after frame: borrowing VideoFrame) throws(MediaError) -> StreamEnd {
        if let measuredEnd { return measuredEnd }
        let duration = frame.duration ?? clock.nominalDuration
        let isTruncated = demuxer.sampleTableEnd.map { $0 > (lastSentDecodingTime ?? .max) } ?? false
        return StreamEnd(
            lastPresentation: frame.presentation, end: frame.presentation + duration, isTruncated: isTruncated)
    }
}
