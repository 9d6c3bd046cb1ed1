/// What the times of an HLS stream count by.
public enum StreamTimeline: String, Sendable, Hashable, CaseIterable {
    /// The durations that the playlist declares, as a player's time line does.
    case playlist
    /// The segments' own timestamps, where declared durations are off. Costs a request more.
    case media
}
