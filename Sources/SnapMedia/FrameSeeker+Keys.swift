import SnapBase

/// Key frames, which cost one decoded picture instead of a group of them.
extension FrameSeeker {
    /// Decodes a key frame in a range of times.
    ///
    /// - Parameters:
    ///   - target: The wish, in ticks of the stream. The key frame before it is preferred.
    ///   - earliest: How early the key frame may be; `nil` for any.
    ///   - latest: How late it may be; `nil` for not after `target`.
    /// - Returns: `nil` when there is no undamaged key frame in the range.
    package func keyFrame(near target: Int64, earliest: Int64?, latest: Int64?) throws(MediaError) -> FoundFrame? {
        if clock.source == .counting { return nil }
        let target = Ticks.clamped(target)
        let found = try whole { () throws(MediaError) in
            try findKeyFrame(near: target, earliest: earliest, latest: latest)
        }
        if let found { return found }
        // What was read in vain is gone.
        stage = .lost
        isFresh = false
        return nil
    }

    private func findKeyFrame(near target: Int64, earliest: Int64?, latest: Int64?) throws(MediaError) -> FoundFrame? {
        if try isCutOff(target) { return nil }
        guard let key = try findKey(notAfter: target) else { return nil }
        let time = clock.presentation(of: key) ?? .max
        if time <= target, time >= earliest ?? .min {
            guard var found = try trusted(key, at: time) else { return nil }
            if found.frame.presentation > target {
                // Its packet told only when it is decoded. The key frame before it is shown before that.
                guard time > origin, let before = try findKey(notAfter: time - 1),
                    let earlier = try trusted(before, at: clock.presentation(of: before) ?? .max),
                    earlier.frame.presentation >= earliest ?? .min
                else { return nil }
                found = earlier
            }
            if target >= demuxer.declaredEnd ?? .min { found.isClamped = try target >= streamEnd().end }
            return found
        }
        guard let latest, latest > target, let later = try keyPacket(after: target, notAfter: latest) else {
            return nil
        }
        guard let found = try trusted(later, at: clock.presentation(of: later) ?? latest),
            found.frame.presentation <= latest
        else { return nil }
        return found
    }

    /// Whether the source ends before a time that its container tells of: what is left is for whoever finds the exact frame.
    private func isCutOff(_ target: Int64) throws(MediaError) -> Bool {
        if demuxer.hasSampleTable { return demuxer.lacksKey(notAfter: target) }
        guard demuxer.isCutShort else { return false }
        return target > (try streamEnd().lastPresentation)
    }

    /// Decodes a key frame alone, and with what comes before it where it looks as if it needed that.
    private func trusted(_ key: Packet, at time: Int64) throws(MediaError) -> FoundFrame? {
        guard var found = try decoded(key) else { return nil }
        if roles?.isDoubtful(key) == true, GreyLook(found.frame).isSuspicious {
            found = try findFrame(shownAt: time, next: nil, .keep)
            if found.degradation != nil { return nil }
        }
        return found
    }

    /// Seeks to the last key frame that is shown at or before a time; at the start of the stream, to the first of all.
    private func findKey(notAfter target: Int64) throws(MediaError) -> Packet? {
        var anchor = target
        for step in steps {
            guard anchor > origin else { break }
            demuxer.announce(from: anchor, to: nil)
            guard try seek(notAfter: anchor) else { break }
            guard let key = try lastKey(notAfter: target) else {
                anchor = min(anchor, target) - step
                continue
            }
            let time = clock.presentation(of: key) ?? .max
            if time <= target { return try demuxer.nextPacket() }
            anchor = min(anchor, key.decoding ?? time, time) - step
        }
        try rewind()
        return try lastKeyFromHere(notAfter: target)
    }

    /// Reads on to the last key frame at or before a time, or the first of all; what follows it is put back.
    private func lastKeyFromHere(notAfter target: Int64) throws(MediaError) -> Packet? {
        var best: Packet?
        var following: Packet?
        while let packet = try demuxer.nextPacket() {
            guard packet.isKey else {
                if best != nil, following == nil { following = packet }
                continue
            }
            let isLate = (clock.presentation(of: packet) ?? .max) > target
            if isLate, best != nil { break }
            (best, following) = (packet, nil)
            if isLate { break }
        }
        if let following { demuxer.putBack([following]) }
        return best
    }

    private func keyPacket(after target: Int64, notAfter latest: Int64) throws(MediaError) -> Packet? {
        while let key = try nextKey() {
            guard let time = clock.presentation(of: key), time <= latest else { return nil }
            if time > target { return key }
        }
        return nil
    }

    /// Decodes one key frame alone: the decoder is emptied behind it, so that it need not wait for the frames that
    /// come before the next one.
    private func decoded(_ key: Packet) throws(MediaError) -> FoundFrame? {
        let following = try demuxer.nextPacket()
        let isSecond = following.map { isSecondField($0, of: key) } ?? false
        if isSecond || clock.needsFrames {
            demuxer.putBack([key] + [following].compactMap(\.self))
        } else {
            isWaitingForKey = false
            try send(key)
            try drain()
        }
        let frame = try nextFrame()
        stage = .lost
        guard let frame, !frame.isDamaged, isEntry(frame) else { return nil }
        return FoundFrame(frame: frame)
    }

    /// Interlaced pictures can come as two packets of one field each; half a picture is none.
    private func isSecondField(_ packet: Packet, of key: Packet) -> Bool {
        guard !packet.isKey, let first = clock.presentation(of: key) else { return false }
        guard let second = clock.presentation(of: packet) else { return true }
        return second >= first && second - first < clock.nominalDuration * 3 / 4
    }
}

/// Reading ahead to key frames.
extension FrameSeeker {
    /// Reads on to the last key frame that is shown at or before a time, and puts it back with what follows.
    ///
    /// - Returns: The packet of the key frame, or the next one that is found where there is none before; `nil` where
    ///   none is in sight.
    func lastKey(notAfter target: Int64) throws(MediaError) -> Packet? {
        guard var key = try nextKey(notAfter: target) else { return nil }
        var following: [Packet] = []
        var byteCount = 0
        // A sample table leads to the right key frame at once; other containers may have landed before it.
        while !demuxer.hasSampleTable, byteCount < Self.lookAheadLimit.bytes,
            following.count < Self.lookAheadLimit.packets,
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

    /// Reads up to the next key frame and returns its packet; `nil` at the end, and where packets are decoded so late
    /// that none can follow that is shown at or before a time.
    func nextKey(notAfter target: Int64? = nil) throws(MediaError) -> Packet? {
        while let packet = try demuxer.nextPacket() {
            if let reason = interrupt.reason { throw .interrupted(reason) }
            if packet.isKey { return packet }
            if let target, demuxer.tellsDecodingTimes, packet.decoding ?? .min > target { return nil }
        }
        return nil
    }
}
