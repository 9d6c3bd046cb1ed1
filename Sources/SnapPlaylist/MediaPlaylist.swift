package import SnapBase

/// A list of media segments (RFC 8216, 4.3.3), with what lies between its tags worked out: where each segment begins,
/// which part of its file it is, how it is encrypted.
package struct MediaPlaylist: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case vod = "VOD"
        case event = "EVENT"
    }

    package internal(set) var version = 1
    /// No segment is longer, rounded. Whole seconds by the standard; fractions occur.
    package internal(set) var targetDuration = MediaTime.zero
    package internal(set) var mediaSequence: UInt64 = 0
    package internal(set) var kind: Kind?
    /// Whether there is an EXT-X-ENDLIST: nothing will be added.
    package internal(set) var isEnded = false
    package internal(set) var isIFramesOnly = false
    /// A hint that every segment starts with a key frame, not a promise.
    package internal(set) var hasIndependentSegments = false
    /// The last may be incomplete, where the stream has low latency; one that is encrypted is not listed before it is
    /// complete, since no text says how its parts are chained.
    package internal(set) var segments: [Segment] = []
    /// The longest part; `nil` without parts.
    package internal(set) var partTarget: MediaTime?
    package internal(set) var serverControl = ServerControl()
    /// Where playback should begin: from the start, or from the end where negative.
    package internal(set) var startOffset: MediaTime?
    package internal(set) var definitions: [String: String] = [:]

    /// What a server of a live stream can do (EXT-X-SERVER-CONTROL).
    package struct ServerControl: Sendable, Hashable {
        /// Whether a request for a list that does not exist yet waits until it does.
        package internal(set) var canBlockReload = false
        package internal(set) var holdBack: MediaTime?
        package internal(set) var partHoldBack: MediaTime?
    }

    /// Whether more may come; a list that calls itself complete and has no end counts too.
    package var isLive: Bool { !isEnded }

    /// The sum of the segments' durations, in the playlist's own words.
    package var duration: MediaTime { segments.last.map { $0.start + $0.duration } ?? .zero }
}
