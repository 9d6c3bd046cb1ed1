/// Tells which frames lost data: those that the decoder marks, and those predicted from them; and which never came.
///
/// A decoder marks only the frame in which it concealed an error; the error lives on in the frames that refer to it,
/// until the next key frame, also in those that are shown before it. Of a packet that it refuses there is no frame at
/// all.
struct DamageTracker {
    private struct Loss {
        /// When the damaged picture is shown; `Int64.min` where that is not known. The next key frame that is shown after
        /// it ends the damage.
        var picture: Int64
        /// When the first of the pictures is shown that may be predicted from it.
        var start: Int64
    }

    private var losses: [Loss] = []
    /// Whether a packet was lost since the decoder was last emptied.
    private(set) var hasLostPackets = false
    private var isOrderLost = false
    /// When frames of packets that were sent should come on screen; those that came are taken off, ascending.
    private var awaited: [Int64] = []
    /// When the frames of the packets that were sent last should come on screen, the last one last; `nil` where not known.
    private var recent: [Int64?] = []
    /// How many packets a decoder works on at once: it may refuse one when it is sent a later one.
    private let depth: Int

    /// Frames presented from here on are damaged, up to a key frame.
    var start: Int64? { losses.map(\.start).min() }

    /// - Parameter threads: Of the decoder.
    init(threads: Int) { depth = max(1, threads) }

    /// The decoder was emptied.
    mutating func restart() {
        losses = []
        hasLostPackets = false
        isOrderLost = false
        awaited = []
        recent = []
    }

    mutating func sent(_ presentation: Int64?) {
        recent.append(presentation)
        if recent.count > depth + 1 { recent.removeFirst() }
        guard let presentation else { return }
        // Pictures decoded after a lost one may refer to it though they are shown before it.
        for index in losses.indices { losses[index].start = min(losses[index].start, presentation) }
        awaited.insert(presentation, at: awaited.lastIndex { $0 <= presentation }.map { $0 + 1 } ?? 0)
        // Without losses nobody asks for those that stay, such as frames that are never shown.
        if awaited.count > 256 { awaited.removeFirst() }
    }

    /// The decoder refused a packet: the last one that it was sent, or with several threads one before it.
    mutating func packetRefused() { packetLost(at: recent.suffix(depth).map { $0 ?? .min }.min()) }

    /// The decoder said of a packet that its picture is not what was coded. What is decoded after it may be shown before it.
    ///
    /// - Parameter packetsAgo: 0 for the one that was sent last.
    mutating func pictureSpoilt(packetsAgo: Int) {
        guard packetsAgo < recent.count else { return }
        let behind = recent.suffix(packetsAgo + 1)
        add(Loss(picture: behind.first.flatMap { $0 } ?? .min, start: behind.map { $0 ?? .min }.min() ?? .min))
    }

    /// Frames can't be told apart any longer: all that come until the decoder is emptied are in doubt.
    mutating func orderLost() { isOrderLost = true }

    /// A packet was lost or cut.
    ///
    /// - Parameter presentation: When its frame would have been shown; `nil` where not known.
    mutating func packetLost(at presentation: Int64?) {
        add(Loss(picture: presentation ?? .min, start: presentation ?? .min))
        hasLostPackets = true
    }

    private mutating func add(_ loss: Loss) {
        losses.append(loss)
        if losses.count > Self.mostLosses {
            let first = losses.removeFirst()
            losses[0] = Loss(
                picture: max(first.picture, losses[0].picture), start: min(first.start, losses[0].start))
        }
    }

    /// More are taken together.
    private static let mostLosses = 64

    /// The decoder has nothing more: frames that are shown from a time on should all have come.
    mutating func drained(from earliest: Int64) {
        if let missing = awaited.first(where: { $0 >= earliest }) { packetLost(at: missing) }
    }

    mutating func judge(_ frame: inout VideoFrame) {
        awaited.lastIndex(of: frame.presentation).map { _ = awaited.remove(at: $0) }
        if frame.isIntraKey { losses.removeAll { $0.picture < frame.presentation } }
        if frame.isFlaggedDamaged { add(Loss(picture: frame.presentation, start: frame.presentation)) }
        frame.isDamaged = isOrderLost || start.map { frame.presentation >= $0 } ?? false
    }

    /// Whether a frame between two others was lost, so that the earlier one is on screen only for want of it.
    func isMissing(after shown: Int64, notAfter target: Int64) -> Bool {
        hasLostPackets && awaited.contains { $0 > shown && $0 <= target }
    }
}
