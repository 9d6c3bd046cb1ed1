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
    func locate(_ target: Int64, next: Int64?) throws(MediaError) {
        if !canContinue(to: target) {
            try reposition(before: target)
        }
        // Draining early saves the frames that are decoded before the target's but shown after it.
        let isLastOfGroup = next.map { isWorthSeeking(to: $0, from: target) } ?? true
        let canDrain = clock.source == .presentationTimes && demuxer.tellsDecodingTimes
        drainTime = canDrain && isLastOfGroup ? max(target, origin) : nil
        try advance(to: target)
        drainTime = nil
        if isDrainedEarly { stage = .lost }
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
        lastDistance = shown.presentation.map { frame.presentation - $0 }
        shown = consume frame
        shownNumber = shownNumber.map { $0 + 1 }
    }

    // MARK: Whether to seek

    func canContinue(to target: Int64) -> Bool {
        if stage == .lost || demuxer.isBroken { return false }
        guard let position = shown.presentation else { return isFresh && !isWorthSeeking(to: target, from: origin) }
        if position > target { return shownNumber == 0 }  // before the first frame there is nothing
        return stage == .ended || !isWorthSeeking(to: target, from: position)
    }

    /// Whether a seek to `target` skips packets that decoding on from `position` would have to read.
    private func isWorthSeeking(to target: Int64, from position: Int64) -> Bool {
        if clock.source == .counting || target - position <= 2 * clock.nominalDuration { return false }
        if let key = demuxer.indexedKey(notAfter: target) {
            return key > (lastSentDecodingTime ?? position)
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
            guard clock.source != .counting, anchor > origin, try seek(notAfter: anchor) else { break }
            guard let key = try lastKey(notAfter: target) else {
                anchor = min(anchor, target) - step
                continue
            }
            let time = clock.presentation(of: key) ?? .max
            if time <= target {
                if let frame = try nextFrame(), frame.presentation <= target, isEntry(frame) {
                    noteLanding(time, target)
                    runKey = time
                    show(frame)
                    return
                }
            }
            anchor = min(anchor, key.decoding ?? time, time) - step
        }
        try restart()
    }

    /// Whether decoding can begin with a frame. Containers call frames key that are none, and only H.264's decoder
    /// keeps back what it can't make whole.
    func isEntry(_ frame: borrowing VideoFrame) -> Bool { frame.isKey || decoder.needsNoKey }

    /// How far to step back from a landing that was too late: to the key frame before, then ever further, in ticks.
    var steps: [Int64] {
        let second = max(1, timeBase.ticks(notAfter: MediaTime(seconds: 1)))
        return [1, second / 2 + 1, 2 * second, 8 * second, 30 * second, 0]
    }

    private func show(_ frame: consuming VideoFrame) {
        lastDistance = nil
        shown = consume frame
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
            let isAhead = lastSentDecodingTime.map { ticks > $0 } ?? isFresh
            if !isAhead || demuxer.isBroken || stage == .ended { demuxer = try demuxer.reopened() }
            isFresh = false
            forgetPosition()
            return true
        }
        isFresh = false
        forgetPosition()
        if demuxer.isBroken { demuxer = try demuxer.reopened() }
        return try demuxer.seek(notAfter: ticks)
    }

    /// Decodes from the start of the source, with the first frame in ``shown``.
    func restart() throws(MediaError) {
        try rewind()
        if let frame = try nextFrame() {
            show(frame)
            shownNumber = 0
            return
        }
        guard isWaitingForKey, demuxer.segments == nil else { throw noFrame() }
        // Nothing is marked as a key frame: let the decoder see what it can make of the packets.
        try rewind()
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
        forgetPosition()
        isFresh = true
    }

    private func forgetPosition() {
        decoder.flush()
        clock.restart()
        damage.restart()
        shown = nil
        upcoming = nil
        lastSound = nil
        shownNumber = nil
        lastKey = nil
        runKey = nil
        lastSentDecodingTime = nil
        isWaitingForKey = true
        drainTime = nil
        isDrainedEarly = false
        stage = .reading
    }

    /// How many bytes of packets may wait while a later key frame is looked for.
    private static let lookAheadLimit = 64 << 20

    /// Reads on to the last key frame that is shown at or before a time, and puts it back with what follows.
    ///
    /// - Returns: The packet of the key frame, or of the next one after the time where there is none before; `nil` at
    ///   the end.
    func lastKey(notAfter target: Int64) throws(MediaError) -> Packet? {
        guard var key = try nextKey() else { return nil }
        var following: [Packet] = []
        var byteCount = 0
        // A sample table leads to the right key frame at once; other containers may have landed before it.
        while !demuxer.hasSampleTable, byteCount < Self.lookAheadLimit, following.count < 100_000,
            (clock.presentation(of: key) ?? .max) <= target,
            let packet = try demuxer.nextPacket()
        {
            if let reason = interrupt.reason { throw .interrupted(reason) }
            if packet.isKey, let time = clock.presentation(of: packet), time <= target {
                key = packet
                following = []
                byteCount = 0
            } else {
                byteCount += packet.byteCount
                following.append(packet)
                if packet.isKey || packet.decoding ?? .min > target { break }
            }
        }
        demuxer.putBack([key] + following)
        return key
    }

    /// Reads up to the next key frame and returns its packet; `nil` at the end.
    func nextKey() throws(MediaError) -> Packet? {
        while let packet = try demuxer.nextPacket() {
            if let reason = interrupt.reason { throw .interrupted(reason) }
            if packet.isKey { return packet }
        }
        return nil
    }
}
