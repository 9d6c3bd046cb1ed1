import SnapBase

/// Straight to the bytes, where an earlier visit found out where they lie. What is read there is held against what was
/// promised; where it is something else, the index is forgotten and the plain way is taken.
extension FrameSeeker {
    /// How many packets may lie between the place where reading begins and the key frame.
    private static let mostBeforeKey = 8
    /// How many frames may come out before the key frame that decoding began with.
    private static let mostLeading = 64

    /// Puts the demuxer onto the key frame of the group of pictures at a time.
    ///
    /// - Returns: Whether it is there; false where it has to be sought.
    func seekByIndex(notAfter ticks: Int64) throws(MediaError) -> Bool {
        guard clock.source == .presentationTimes, let key = indexer?.index?.key(at: ticks) else { return false }
        return try land(on: key, upTo: aim?.target ?? key.presentation)
    }

    private func land(on key: TimeIndex.Key, upTo target: Int64) throws(MediaError) -> Bool {
        demuxer.announce(key, upTo: target)
        if try demuxer.seek(to: key) {
            for _ in 0...Self.mostBeforeKey {
                guard let packet = try demuxer.nextPacket() else { break }
                if !packet.isKey || packet.presentation ?? key.presentation < key.presentation { continue }
                guard isPromised(packet, by: key) else { break }
                demuxer.putBack([packet])
                indexer?.noteUse()
                return true
            }
        }
        try forgetIndex()
        return false
    }

    private func isPromised(_ packet: Packet, by key: TimeIndex.Key) -> Bool {
        let isTimely = clock.source == .counting || packet.presentation == key.presentation
        return isTimely && key.checksum.map { $0 == packet.checksum } ?? true
    }

    private func forgetIndex() throws(MediaError) {
        indexer?.distrust()
        measuredEnd = nil
        demuxer = try demuxer.reopened()
    }

    /// Holds the first packet of the source against what is known of it.
    func checkIndex(at first: Packet) {
        guard first.isKey, let index = indexer?.index else { return }
        let time = clock.presentation(of: first)
        let key = clock.source == .counting ? index.key(notAfterNumber: 0) : time.flatMap { index.key(at: $0) }
        if let key, time == nil || time == key.presentation, !isPromised(first, by: key) { indexer?.distrust() }
    }

    // MARK: The end

    /// Where the stream ends, if that is known, and the last key frame is still what it was.
    func indexedEnd() throws(MediaError) -> StreamEnd? {
        guard let end = indexer?.index?.end, let last = indexer?.index?.lastKey(notAfter: end.lastPresentation) else {
            return nil
        }
        statistics.seeks += 1
        isFresh = false
        forgetPosition()
        stage = .lost
        if demuxer.isBroken { demuxer = try demuxer.reopened() }
        guard try land(on: last, upTo: last.presentation) else { return nil }
        let known = StreamEnd(lastPresentation: end.lastPresentation, end: end.end, isTruncated: false)
        measuredEnd = known
        return known
    }

    // MARK: Numbers

    /// Notes the number of a key frame that was decoded.
    func noteNumber(of frame: borrowing VideoFrame) {
        guard let indexer, indexer.index != nil, let key = numbering.came(frame) else { return }
        if clock.source == .counting {
            indexer.counted(
                key.number, presentation: frame.presentation, place: key.position, checksum: key.checksum)
        } else if key.presentation == frame.presentation {
            indexer.counted(key.number, presentation: frame.presentation, place: nil, checksum: key.checksum)
        }
    }

    /// Brings a key frame that was counted into ``shown``, with its number.
    ///
    /// - Returns: Whether it is there; the decoder has to be restarted if not.
    func start(atCounted key: TimeIndex.Key) throws(MediaError) -> Bool {
        guard let number = key.number.flatMap({ Int(exactly: $0) }) else { return false }
        statistics.seeks += 1
        isFresh = false
        forgetPosition()
        if demuxer.isBroken { demuxer = try demuxer.reopened() }
        guard isTimely(key) else {
            try forgetIndex()
            return false
        }
        guard try land(on: key, upTo: .max) else { return false }
        numbering.restart(at: key.number)
        for _ in 0...Self.mostLeading {
            if clock.source == .counting { clock.resume(at: key.presentation) }
            guard let frame = try nextFrame() else { break }
            // Pictures that lean on those before the key frame: it is shown behind them.
            guard frame.isKey, clock.source == .counting || frame.presentation == key.presentation else {
                numbering.leftOut()
                continue
            }
            if frame.isDamaged { break }
            runKey = key.presentation
            show(frame)
            shownNumber = number
            return true
        }
        try forgetIndex()
        return false
    }

    /// Whether a key frame of a stream that tells no times has the time that its number makes.
    private func isTimely(_ key: TimeIndex.Key) -> Bool {
        guard clock.source == .counting, let number = key.number else { return true }
        let (time, overflow) = number.multipliedReportingOverflow(by: clock.nominalDuration)
        return !overflow && time == key.presentation
    }

    // MARK: Afterwards

    /// What this visit learned that was not known; `nil` for nothing. Asked again, only where there is something since.
    package func takeLearnedIndex() -> TimeIndex? {
        demuxer.takeWalkedKeys()
        return indexer?.takeNews()
    }
}
