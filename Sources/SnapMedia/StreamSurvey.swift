package import SnapBase

/// What a container and its first packets say about the video, nothing decoded.
package struct StreamSurvey: Sendable, Hashable {
    /// libavformat's short names, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    package var container: String
    /// What people call it, such as `QuickTime / MOV`.
    package var containerTitle: String
    /// Of the source in bytes; `nil` where not known.
    package var byteCount: Int64?
    package var codec: String
    /// As coded, before cropping, turning and stretching.
    package var codedWidth: Int
    package var codedHeight: Int
    /// Such as `yuv420p`; `nil` where the container does not say.
    package var pixelFormat: String?
    /// What else there is: `audio: aac`; `nil` for nothing.
    package var otherStreams: String?

    /// How many packets were looked at, from the start.
    package var packets = 0
    /// Whether those were all.
    package var isWhole = false
    /// The shortest and longest distance between frames, in ticks.
    package var frameDistance: ClosedRange<Int64>?
    /// The mean distance between frames, in seconds.
    package var meanFrameDistance: MediaTime?
    /// The shortest and longest distance between key frames, in seconds.
    package var keyDistance: ClosedRange<MediaTime>?
    /// Edits in an MP4's edit list; 0 without one.
    package var edits = 0
    /// Packets that an edit list hides: decoded, but not shown.
    package var hiddenPackets = 0
}
