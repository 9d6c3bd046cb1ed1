public import SnapBase

/// A moment of a video, as it is asked for.
///
/// Times count from the presentation of the video's first frame. The frame at a time is the one on screen then: the
/// last whose presentation is not after it.
public enum Position: Sendable, Hashable {
    /// From the start of the video; negative means the first frame.
    case time(MediaTime)
    /// A part of the video stream's own length: 50 % is `fraction(50, of: 100)`.
    case fraction(Int64, of: Int64)
    /// The first frame.
    case start
    /// The last frame.
    case end
    /// So long before the end of the video stream.
    case beforeEnd(MediaTime)
    /// A frame by its number in presentation order, counted from 0, never computed from a frame rate.
    case frame(Int)
    /// A representative frame: not blank, not black, not blurred.
    case representative
    /// So long before the newest frame of a live stream; zero is the newest frame.
    case live(behind: MediaTime)
    /// A time of day, which an HLS stream tells by EXT-X-PROGRAM-DATE-TIME.
    case date(WallClock)
}

extension Position {
    /// - Parameter value: Whole seconds from the start.
    public static func seconds(_ value: Int64) -> Position { .time(MediaTime(seconds: value)) }

    /// - Parameter value: Milliseconds from the start.
    public static func milliseconds(_ value: Int64) -> Position { .time(.init(.milliseconds(value))) }

    /// - Parameter value: 0 to 100, of the video stream's own length.
    public static func percent(_ value: Int64) -> Position { .fraction(value, of: 100) }
}

extension Position: CustomStringConvertible {
    /// As it would be typed.
    public var description: String {
        switch self {
        case .time(let time): time.decimalSeconds
        case .fraction(let part, let whole):
            (MediaTime(part, over: whole)?.scaled(by: 100, over: 1).decimalSeconds ?? "?") + "%"
        case .start: "start"
        case .end: "end"
        case .beforeEnd(let time): "end-\(time.decimalSeconds)s"
        case .frame(let number): "frame:\(number)"
        case .representative: "auto"
        case .live(.zero): "live"
        case .live(let behind): "live-\(behind.decimalSeconds)s"
        case .date(let date): date.description
        }
    }
}
