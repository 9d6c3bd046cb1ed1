import SnapBase

/// A position that only a stream has.
enum StreamPosition: Sendable, Hashable {
    /// So long before the newest frame.
    case live(MediaTime)
    /// A time of day.
    case date(WallClock)

    /// Why one video can't be asked for it.
    var onlyInStreams: String {
        switch self {
        case .live: "'live' is the newest frame of an HLS stream, and this is one video: write end for its last frame"
        case .date: "a time of day is for HLS streams with dates, and this is one video: write a time from its start"
        }
    }
}
