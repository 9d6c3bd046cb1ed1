/// Tells which frames lost data: those that the decoder marks, and those predicted from them; and which never came.
///
/// A decoder marks only the frame in which it concealed an error; the error lives on in the frames that refer to it,
/// until the next key frame. Of a packet that it refuses there is no frame at all.
struct DamageTracker {
    /// Frames presented from here on are damaged, up to the next key frame.
    private var since: Int64?
    /// Whether a packet was lost since the decoder was last emptied.
    private var hasLostPackets = false
    /// When frames of packets that were sent should come on screen; those that came are taken off, ascending.
    private var awaited: [Int64] = []

    /// The decoder was emptied.
    mutating func restart() {
        since = nil
        hasLostPackets = false
        awaited = []
    }

    mutating func sent(_ presentation: Int64?) {
        guard let presentation else { return }
        awaited.insert(presentation, at: awaited.lastIndex { $0 <= presentation }.map { $0 + 1 } ?? 0)
        // Without losses nobody asks for those that stay, such as frames that are never shown.
        if awaited.count > 256 { awaited.removeFirst() }
    }

    /// A packet was lost, cut or refused by the decoder.
    ///
    /// - Parameter presentation: When its frame would have been shown; `nil` where not known.
    mutating func packetLost(at presentation: Int64?) {
        since = min(since ?? .max, presentation ?? .min)
        hasLostPackets = true
    }

    mutating func judge(_ frame: inout VideoFrame) {
        awaited.lastIndex(of: frame.presentation).map { _ = awaited.remove(at: $0) }
        if let damageStart = since, frame.isKey, frame.presentation > damageStart { since = nil }
        if frame.isFlaggedDamaged { since = min(since ?? .max, frame.presentation) }
        frame.isDamaged = since.map { frame.presentation >= $0 } ?? false
    }

    /// Whether a frame between two others was lost, so that the earlier one is on screen only for want of it.
    func isMissing(after shown: Int64, notAfter target: Int64) -> Bool {
        hasLostPackets && awaited.contains { $0 > shown && $0 <= target }
    }
}
