import CFFmpeg
import SnapBase

/// From a time to the frame on screen: continue where that is shorter, else seek, check where one landed, step back.
extension FrameSeeker {
    /// Brings the frame that is on screen at a time into ``shown``: the last whose presentation is not after it, or the
    /// first frame of all.
    ///
    /// - Parameters:
    ///   - target: In ticks of the stream.
    ///   - next: The time that will be asked for afterwards, so that the decoder isn't emptied in vain; `nil` for none.
    ///   - entry: A time at or before the target that a seek can find; `nil` for the target.
    func locate(_ target: Int64, next: Int64?, from entry: Int64? = nil) throws(MediaError) {
        let entry = entry ?? target
        // The frame behind the one that is looked for is wanted too.
        let next = fields.isActive ? target : next
        let aim = Aim(target: target, next: next, isSparing: isSparing && !fields.isActive)
        if try approach(aim, from: entry) { return }
        // Something is not as the packets say: damage is judged, and gone round, with everything decoded.
        stage = .lost
        _ = try approach(Aim(target: target, next: next, isSparing: false), from: entry)
    }

    /// - Returns: Whether the frame came out that the packets promise.
    private func approach(_ aim: Aim, from entry: Int64) throws(MediaError) -> Bool {
        self.aim = aim
        // Who decodes on from here is after something else.
        defer { (self.aim, plan) = (nil, DecodingPlan()) }
        if canContinue(to: entry) {
            try planAhead()
        } else {
            try reposition(before: entry)
            if noticesFields() {
                self.aim = Aim(target: aim.target, next: aim.target, isSparing: false)
                try reposition(before: entry)
            }
        }
        try advance(to: aim.target)
        if isDrainedEarly { stage = .lost }
        return isPlanMet(for: aim.target)
    }

    /// Decodes forward until the next frame is later than the target.
    func advance(to target: Int64) throws(MediaError) {
        while true {
            if upcoming == nil { upcoming = try nextFrame() }
            guard let following = upcoming.take() else { return }
            let time = following.presentation
            if time > target, shown.presentation != nil {
                upcoming = consume following
                return
            }
            replaceShown(with: following)
            if time > target { return }
        }
    }

    func replaceShown(with frame: consuming VideoFrame) {
        if !frame.isDamaged {
            lastSound = nil
        } else if shown.presentation != nil, !shown.isDamaged {
            lastSound = shown.take()
        }
        let before = [shown.presentation, plan.lastLeftOut].compactMap { $0 }.filter { $0 < frame.presentation }.max()
        lastDistance = before.map { frame.presentation - $0 }
        previous = fields.isActive ? shown.take() : nil
        shown = consume frame
        shownNumber = shownNumber.map { $0 + 1 }
    }

    // MARK: Whether to seek

    func canContinue(to target: Int64) -> Bool {
        if stage == .lost || demuxer.isBroken { return false }
        let isFar = isWorthSeeking(to: target, from: shown.presentation ?? origin, passed: lastPassedDecodingTime)
        guard let position = shown.presentation else { return isFresh && !isFar }
        if position > target { return shownNumber == 0 }  // before the first frame there is nothing
        return stage == .ended || !isFar
    }

    /// Whether a seek to `target` skips packets that decoding on from `position` would have to read.
    ///
    /// - Parameter passed: The decoding time up to which packets have been read.
    func isWorthSeeking(to target: Int64, from position: Int64, passed: Int64?) -> Bool {
        if target - position <= 2 * clock.nominalDuration { return false }
        if clock.source == .counting {
            return indexer?.index?.lastKey(notAfter: target)?.presentation ?? .min > position
        }
        if let key = indexer?.index?.key(at: target) { return key.presentation > max(position, passed ?? position) }
        if let key = demuxer.indexedKey(notAfter: target) {
            return key > passed ?? position
        }
        let seconds = timeBase.ticks(notAfter: MediaTime(seconds: 2))
        return target - position > max(seconds, 2 * longestKeyDistance)
    }

    // MARK: Seeking

    /// Puts the decoder onto a key frame that is shown at or before the target, as near as can be, with its first frame
    /// in ``shown``. Checks where the demuxer landed: HEVC, MPEG-TS and files without an index land late.
    func reposition(before target: Int64) throws(MediaError) {
        var anchor = target
        for step in steps {
            guard clock.source != .counting, anchor > origin else { break }
            demuxer.announce(from: anchor, to: target)
            guard try seek(notAfter: anchor) else { break }
            guard let key = try lastKey(notAfter: target) else {
                anchor = min(anchor, target) - step
                continue
            }
            let time = clock.presentation(of: key) ?? .max
            if time <= target {
                doubtEnd = roles?.isDoubtful(key) == true ? .max : nil
                try planAhead()
                if let frame = try nextFrame(), frame.presentation <= target, isEntry(frame) {
                    noteLanding(time, target)
                    runKey = time
                    show(frame)
                    return
                }
            }
            anchor = min(anchor, key.decoding ?? time, time) - step
        }
        if clock.source == .counting, let key = indexer?.index?.lastKey(notAfter: target), try start(atCounted: key) {
            return
        }
        try restart()
    }

    /// Whether decoding can begin with a frame. Containers call frames key that are none, and only H.264's decoder
    /// keeps back what it can't make whole.
    func isEntry(_ frame: borrowing VideoFrame) -> Bool {
        (frame.isKey || decoder.needsNoKey) && !clock.isUnsettled
    }

    /// How far to step back from a landing that was too late: to the key frame before, then ever further, in ticks.
    var steps: [Int64] {
        let second = max(1, timeBase.ticks(notAfter: MediaTime(seconds: 1)))
        return [1, second / 2 + 1, 2 * second, 8 * second, 30 * second, 0]
    }

    func show(_ frame: consuming VideoFrame) {
        lastDistance = nil
        shown = consume frame
        previous = nil
        lastSound = nil
        shownNumber = nil
    }

    /// A seek that landed where the decoder had been already tells how long groups of pictures are.
    private func noteLanding(_ key: Int64, _ target: Int64) {
        longestKeyDistance = max(longestKeyDistance, target - key)
    }

    /// Seeks the demuxer and empties the decoder.
    func seek(notAfter ticks: Int64) throws(MediaError) -> Bool {
        statistics.seeks += 1
        if demuxer.segments != nil {
            // Read on where the time lies ahead; else there is one way back, to the start.
            let isAhead = lastPassedDecodingTime.map { ticks > $0 } ?? isFresh
            if !isAhead || demuxer.isBroken || stage == .ended { demuxer = try demuxer.reopened() }
            isFresh = false
            forgetPosition()
            return true
        }
        isFresh = false
        forgetPosition()
        if demuxer.isBroken { demuxer = try demuxer.reopened() }
        if try seekByIndex(notAfter: ticks) { return true }
        return try demuxer.seek(notAfter: ticks)
    }

    /// Decodes from the start of the source, with the first frame in ``shown``.
    func restart() throws(MediaError) {
        try rewind()
        numbering.restart(at: 0)
        try planAhead()
        if let frame = try nextFrame() {
            show(frame)
            shownNumber = plan.lastLeftOut == nil ? 0 : nil
            return
        }
        if plan.expected != nil {  // the frame that the packets promise can't be decoded: then whichever can
            aim = nil
            return try restart()
        }
        guard isWaitingForKey, demuxer.segments == nil else { throw noFrame() }
        // Nothing is marked as a key frame: let the decoder see what it can make of the packets.
        try rewind()
        numbering.restart(at: 0)
        isKeyless = true
        isWaitingForKey = false
        guard let frame = try nextFrame() else { throw noFrame() }
        show(frame)
        shownNumber = 0
    }

    func rewind() throws(MediaError) {
        if !isFresh || demuxer.isBroken {
            statistics.seeks += 1
            demuxer = try demuxer.reopened()
        }
        forgetPosition(atStart: true)
        isFresh = true
    }

    /// - Parameter atStart: Whether the next packet is the first of the stream.
    func forgetPosition(atStart: Bool = false) {
        decoder.flush()
        held = []
        clock.restart(atStart: atStart)
        damage.restart()
        shown = nil
        upcoming = nil
        lastSound = nil
        previous = nil
        shownNumber = nil
        lastKey = nil
        runKey = nil
        doubtEnd = nil
        lastPassedDecodingTime = nil
        numbering.restart(at: nil)
        isWaitingForKey = true
        plan = DecodingPlan()
        isDrainedEarly = false
        stage = .reading
    }
}
