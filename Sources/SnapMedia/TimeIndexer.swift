/// One visit's use of a ``TimeIndex``: what was known, and what the visit learns on its way.
///
/// The demuxer tells it each packet that it reads for the first time, and each jump. A class, because it outlives the
/// demuxer, which is opened anew after failures.
package final class TimeIndexer {
    /// `nil` before a container was opened that can have one, and where its times are in no order.
    package private(set) var index: TimeIndex?
    /// Whether what earlier visits learned served this one.
    package private(set) var wasUsed = false
    /// Whether what was known was wrong, so that nothing of it may stay.
    package private(set) var wasWrong = false
    /// Whether there is something in it that this visit did not learn.
    private var isFromBefore = false
    /// Whether there is something to keep that was not known.
    private var hasNews = false
    private var known: TimeIndex?
    private var hasGivenUp = false
    /// The key frame whose group of pictures is being read.
    private var current: TimeIndex.Key?
    /// Where the packet before the next one lies.
    private var positionBefore: Int64?
    /// The last presentation that was read.
    private(set) var latest = Int64.min

    /// - Parameter known: What earlier visits learned; `nil` for nothing.
    package init(knowing known: TimeIndex? = nil) { self.known = known }

    /// Whether the end of the stream is known, so that opening need not look for it.
    var knowsEnd: Bool { !wasWrong && (index ?? known)?.end != nil }

    /// A container was opened.
    ///
    /// - Parameter stream: `nil` for one that needs no index, or can have none.
    func begin(_ stream: TimeIndex.Stream?) {
        jumped()
        guard index == nil, !hasGivenUp, let stream else { return }
        isFromBefore = known?.stream == stream
        wasWrong = known != nil && !isFromBefore
        index = isFromBefore ? known : TimeIndex(stream)
        known = nil
    }

    /// What was known turned out to be wrong. What this visit reads from here on may be right.
    func distrust() {
        current = nil
        positionBefore = nil
        (wasWrong, isFromBefore, wasUsed, hasNews) = (true, false, false, false)
        index = index.map { TimeIndex($0.stream) }
    }

    /// Whether a key frame that comes on screen at a time is known.
    func knows(_ presentation: Int64) -> Bool { index?.lastKey(notAfter: presentation)?.presentation == presentation }

    func noteUse() { wasUsed = isFromBefore }

    /// The container has an index of its own, or times in no order: there is nothing to learn.
    func giveUp() {
        current = nil
        index = nil
        (hasGivenUp, wasUsed, hasNews) = (true, false, false)
    }

    // MARK: Learning

    /// A packet was read.
    ///
    /// - Parameters:
    ///   - place: Where the container says that reading can begin for it; `nil` for where the packet before it lies.
    ///   - tellsDecodingTimes: Whether its decoding time is the container's own, before which nothing later is shown.
    func read(_ packet: Packet, place: Int64?, tellsDecodingTimes: Bool) {
        guard index != nil, let presentation = packet.presentation else { return }
        let position = packet.position
        defer { positionBefore = position }
        latest = max(latest, presentation)
        guard packet.isKey else {
            if tellsDecodingTimes, let decoding = packet.decoding, let reach = current?.reach, decoding > reach {
                current?.reach = decoding
            }
            return
        }
        if let reach = current?.presentation, reach >= presentation { return giveUp() }
        current?.reach = presentation
        settle()
        // Where packets don't begin with pictures, the times of one that is read first are wrong.
        let before = positionBefore.flatMap { before in position.map { min(before, $0) } }
        guard let offset = place ?? before ?? position else { return }
        current = TimeIndex.Key(offset: offset, presentation: presentation, checksum: packet.checksum)
    }

    /// What is read next lies elsewhere.
    func jumped() {
        settle()
        current = nil
        positionBefore = nil
    }

    /// There is nothing behind what was read last.
    func ended() {
        current?.reach = Ticks.limit
        settle()
    }

    /// A key frame was counted.
    ///
    /// - Parameter place: Where it lies, for streams whose packets have no times.
    func counted(_ number: Int64, presentation: Int64, place: Int64?, checksum: UInt32) {
        settle()
        let offset =
            place
            ?? index?.lastKey(notAfter: presentation).flatMap {
                $0.presentation == presentation ? $0.offset : nil
            }
        guard let offset else { return }
        learn(TimeIndex.Key(offset: offset, presentation: presentation, number: number, checksum: checksum))
    }

    func measured(_ end: TimeIndex.End) {
        guard index != nil, index?.end != end else { return }
        index?.end = end
        hasNews = true
    }

    func learn(_ key: TimeIndex.Key) {
        switch index?.learn(key) {
        case .new: hasNews = true
        case .contradiction: giveUp()
        case .known, nil: break
        }
    }

    private func settle() {
        if let current { learn(current) }
    }

    /// What there is to keep; `nil` for nothing that was not known. Asked again, only what came since.
    package func takeNews() -> TimeIndex? {
        settle()
        // The group of pictures at the start is found without help.
        guard hasNews, let index, index.end != nil || index.keys.count > 1 else { return nil }
        hasNews = false
        return index
    }
}
