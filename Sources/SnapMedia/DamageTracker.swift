/// Tells which frames lost data: those that the decoder marks, and those predicted from them.
///
/// A decoder marks only the frame in which it concealed an error; the error lives on in the frames that refer to it,
/// until the next key frame.
struct DamageTracker {
    /// Frames presented from here on are damaged, up to the next key frame.
    private var since: Int64?

    mutating func restart() { since = nil }

    /// A packet was lost, cut or refused by the decoder.
    ///
    /// - Parameter presentation: When its frame would have been shown; `nil` where not known.
    mutating func packetLost(at presentation: Int64?) { since = min(since ?? .max, presentation ?? .min) }

    mutating func judge(_ frame: inout VideoFrame) {
        if let damageStart = since, frame.isKey, frame.presentation > damageStart { since = nil }
        if frame.isFlaggedDamaged { since = min(since ?? .max, frame.presentation) }
        frame.isDamaged = since.map { frame.presentation >= $0 } ?? false
    }
}
