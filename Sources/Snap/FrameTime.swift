public import SnapBase

/// When a frame comes on screen.
public struct FrameTime: Sendable, Hashable {
    /// From the presentation of the video's first frame.
    public let time: MediaTime
    /// As the stream counts it, in ticks of ``timeBase``.
    public let pts: Int64
    /// The length of a tick.
    public let timeBase: TimeBase
}
