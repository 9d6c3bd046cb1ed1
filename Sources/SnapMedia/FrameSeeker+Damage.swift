import SnapBase

/// What to do about a frame that lost data.
extension FrameSeeker {
    /// How far ahead and how far back an undamaged frame is looked for, in frames.
    private static let searchedFrames = 600
    /// How many key frames one goes back at most, while that changes a picture that looks like a fill.
    private static let earlierKeys = 8

    /// The frame at the target is in ``shown`` and damaged, or missing behind it: chooses what to give instead.
    func undamaged(_ target: Int64, _ policy: DamagePolicy) throws(MediaError) -> FoundFrame {
        // The key frame may only be called one, as in open groups of pictures: start one earlier before believing it.
        if try redecodedFromEarlier(target) { return FoundFrame(frame: try currentFrame()) }
        let isThere = shown.isDamaged
        if policy == .keep {
            return FoundFrame(frame: try currentFrame(), degradation: isThere ? .damaged : .replacedDamaged)
        }
        if policy == .fail { throw .damaged("the frame at this time lost data") }

        if !isThere { lastSound = try currentFrame() }
        let before = policy == .next ? nil : try soundFrameBefore(target)
        let after = policy == .previous ? nil : try soundFrame(after: target)
        let past = before.presentation.map { target - $0 } ?? .max
        let future = after.presentation.map { $0 - target } ?? .max
        if past != .max, past <= future { return try given(before) }
        if future != .max { return try given(after) }
        throw .damaged(
            "no undamaged frame \(policy == .nearest ? "near" : policy == .next ? "after" : "before") this time")
    }

    private func given(_ frame: consuming VideoFrame?) throws(MediaError) -> FoundFrame {
        guard let frame else { throw noFrame() }
        return FoundFrame(frame: frame, degradation: .replacedDamaged)
    }

    private func redecodedFromEarlier(_ target: Int64) throws(MediaError) -> Bool {
        guard let key = runKey, key > origin else { return false }
        try reposition(before: key - 1)
        try advance(to: target)
        guard let presentation = shown.presentation, !shown.isDamaged else { return false }
        return !damage.isMissing(after: presentation, notAfter: target)
    }

    /// The frame at the target, which is in ``shown`` and not known to be damaged.
    ///
    /// Where decoding began with what may only be called a key frame, references may be missing, which H.264's decoder
    /// fills with grey without a word. A picture that looks so is decoded from an earlier key frame: what comes out the
    /// same is taken for the picture.
    func trustedFrame(_ target: Int64) throws(MediaError) -> VideoFrame {
        var best = try currentFrame()
        guard target < doubtEnd ?? .min else { return best }
        var look = GreyLook(best)
        for _ in 0..<Self.earlierKeys {
            guard target < doubtEnd ?? .min, look.isSuspicious, let key = runKey, key > origin else { break }
            try reposition(before: key - 1)
            try advance(to: target)
            guard shown.presentation == best.presentation, !shown.isDamaged else { break }
            let frame = try currentFrame()
            let earlier = GreyLook(frame)
            if earlier == look { doubtEnd = nil }
            best = frame
            look = earlier
        }
        return best
    }

    private func soundFrameBefore(_ target: Int64) throws(MediaError) -> VideoFrame? {
        var remembered = lastSound.take()
        // Up to the loss and no further: without a key frame that it expects, a decoder mixes up the order of frames.
        if let start = damage.start, start > origin, start <= target {
            try locate(start - 1, next: nil)
            if shown.presentation != nil, !shown.isDamaged { return shown.take() }
        }
        if remembered.presentation != nil { return remembered.take() }
        // From the group of pictures before, decoded on to the target, and then ever further back.
        defer { stage = .lost }
        let begun = statistics.framesDecoded
        var end = target
        while let key = runKey, key > origin, statistics.framesDecoded - begun < Self.searchedFrames {
            try reposition(before: key - 1)
            try advance(to: end)
            if !shown.isDamaged { return shown.take() }
            if lastSound.presentation != nil { return lastSound.take() }
            end = runKey.map { $0 - 1 } ?? end
        }
        return nil
    }

    private func soundFrame(after target: Int64) throws(MediaError) -> VideoFrame? {
        if stage == .lost || shown.presentation == nil || shown.presentation.map({ $0 > target }) == true {
            try reposition(before: target)
        }
        defer { stage = .lost }  // what lies between the frame shown and the one found is thrown away
        var searched = 0
        while searched < Self.searchedFrames {
            if upcoming.presentation == nil { upcoming = try nextFrame() }
            guard let frame = upcoming.take() else { break }
            guard frame.presentation > target else { continue }
            if !frame.isDamaged { return frame }
            searched += 1
        }
        return nil
    }
}
