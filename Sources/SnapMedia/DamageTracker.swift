/// Tells which frames lost data: those that the decoder marks, and those predicted from them; and which never came.
///
/// A decoder marks only the frame in which it concealed an error; the error lives on in the frames that refer to it,
/// until the next key frame, also in those that are shown before it. Of a packet that it refuses there is no frame at
/// all.
struct DamageTracker {
    private struct Loss {
        /// When the damaged picture is shown; `nil` where that is not known. The next key frame that is shown after it ends
        /// the damage.
        var picture: Int64?
        /// When the first of the pictures is shown that may be predicted from it.
        var start: Int64
        /// How many key frames are still to come that were sent before the damaged picture, or are it. The next one ends
        /// the damage where times don't tell, and the one behind that in any case: times may begin anew.
        var keysAhead: Int

        /// A key frame comes.
        mutating func isEnded(byKeyAt presentation: Int64) -> Bool {
            keysAhead -= 1
            guard let picture else { return keysAhead < 0 }
            return picture < presentation || keysAhead < -1
        }
    }

    private var losses: [Loss] = []
    /// Whether a packet was lost since the decoder was last emptied.
    private(set) var hasLostPackets = false
    private var isOrderLost = false
    /// When frames of packets that were sent should come on screen; those that came are taken off, ascending.
    private var awaited: [Int64] = []
    /// What is known of a packet: its place among those that were sent, and when its frame should come on screen.
    private struct Sent {
        var number: Int
        var presentation: Int64?
    }

    /// The packets that were sent last, the last one last.
    private var recent: [Sent] = []
    private var sentCount = 0
    /// The key packets whose frames are still to come.
    private var keys: [Sent] = []
    /// Whether a frame is no key frame where its packet isn't: AV1 and VP9 show frames again that were decoded before, and
    /// those that such a packet means may be lost.
    private let showsFramesAgain: Bool
    /// How many packets a decoder works on at once: it may refuse one when it is sent a later one.
    private let depth: Int

    /// Frames presented from here on are damaged, up to a key frame.
    var start: Int64? { losses.map(\.start).min() }

    /// - Parameters:
    ///   - framesAtWork: How many frames the decoder is at work on at a time.
    ///   - showsFramesAgain: Whether packets can show frames that were decoded before.
    init(framesAtWork: Int, showsFramesAgain: Bool = false) {
        depth = max(1, framesAtWork)
        self.showsFramesAgain = showsFramesAgain
    }

    /// The decoder was emptied.
    mutating func restart() {
        losses = []
        hasLostPackets = false
        isOrderLost = false
        awaited = []
        recent = []
        keys = []
    }

    mutating func sent(_ presentation: Int64?, isKey: Bool) {
        sentCount += 1
        let packet = Sent(number: sentCount, presentation: presentation)
        recent.append(packet)
        if recent.count > depth + 1 { recent.removeFirst() }
        if isKey { keys.append(packet) }
        if keys.count > Self.most { keys.removeFirst() }
        guard let presentation else { return }
        // Pictures decoded after a lost one may refer to it though they are shown before it.
        for index in losses.indices { losses[index].start = min(losses[index].start, presentation) }
        awaited.insert(presentation, at: awaited.lastIndex { $0 <= presentation }.map { $0 + 1 } ?? 0)
        // Without losses nobody asks for those that stay, such as frames that are never shown.
        if awaited.count > Self.most { awaited.removeFirst() }
    }

    /// The decoder refused a packet: the last one that it was sent, or with several threads one before it.
    mutating func packetRefused() {
        let suspects = recent.suffix(depth)
        // It has no frame.
        if let first = suspects.first { keys.removeAll { $0.number == first.number } }
        let times = suspects.map(\.presentation)
        addLoss(at: times.contains(nil) ? nil : times.compactMap(\.self).max(), from: times)
        hasLostPackets = true
    }

    /// The decoder said of a packet that its picture is not what was coded. What is decoded after it may be shown before it.
    ///
    /// - Parameter packetsAgo: 0 for the one that was sent last.
    mutating func pictureSpoilt(packetsAgo: Int) {
        let behind = recent.suffix(packetsAgo + 1)
        guard let packet = behind.first, packetsAgo < recent.count else { return }
        addLoss(at: packet.presentation, upTo: packet.number, from: behind.map(\.presentation))
    }

    /// Frames can't be told apart any longer: all that come until the decoder is emptied are in doubt.
    mutating func orderLost() { isOrderLost = true }

    /// A packet was lost or cut.
    ///
    /// - Parameter presentation: When its frame would have been shown; `nil` where not known.
    mutating func packetLost(at presentation: Int64?) {
        addLoss(at: presentation, from: [presentation])
        hasLostPackets = true
    }

    /// - Parameters:
    ///   - picture: When the damaged picture is shown.
    ///   - number: Of its packet, or of a later one.
    ///   - times: When it and those that may be predicted from it are shown, as far as they were sent.
    private mutating func addLoss(at picture: Int64?, upTo number: Int = .max, from times: [Int64?]) {
        let start = times.map { $0 ?? .min }.min() ?? .min
        var loss = Loss(picture: picture, start: start, keysAhead: keys.count { $0.number <= number })
        if losses.count == Self.most {
            let first = losses.removeFirst()
            loss.start = min(loss.start, first.start)
        }
        losses.append(loss)
    }

    /// More are not kept apart.
    private static let most = 256

    /// The decoder has nothing more: frames that are shown from a time on should all have come.
    mutating func drained(from earliest: Int64) {
        if let missing = awaited.first(where: { $0 >= earliest }) { packetLost(at: missing) }
    }

    mutating func judge(_ frame: inout VideoFrame) {
        frame.isDamaged = isDamaged(frame.presentation, isKey: frame.isIntraKey, isFlagged: frame.isFlaggedDamaged)
    }

    /// Whether a frame lost data; to be asked of each one, as they come.
    mutating func isDamaged(_ presentation: Int64, isKey: Bool, isFlagged: Bool) -> Bool {
        awaited.lastIndex(of: presentation).map { _ = awaited.remove(at: $0) }
        if isKey, !showsFramesAgain || keys.contains(where: { $0.presentation == presentation }) {
            losses = losses.compactMap { loss in
                var loss = loss
                return loss.isEnded(byKeyAt: presentation) ? nil : loss
            }
            if !keys.isEmpty { keys.removeFirst() }
        }
        if isFlagged { addLoss(at: presentation, upTo: .min, from: [presentation]) }
        return isOrderLost || start.map { presentation >= $0 } ?? false
    }

    /// Whether a frame between two others was lost, so that the earlier one is on screen only for want of it.
    func isMissing(after shown: Int64, notAfter target: Int64) -> Bool {
        hasLostPackets && awaited.contains { $0 > shown && $0 <= target }
    }
}
