public import SnapBase

/// What is in a video, and what snap does about it.
public struct VideoInfo: Sendable, Hashable {
    /// What was read, without secrets.
    public var source: String
    /// The container's name for people, and libavformat's short ones.
    public var container: String
    public var containerNames: String
    /// Of the source; `nil` where not known.
    public var byteCount: Int64?
    /// From the first frame to the end of the last: of the video stream alone, measured from its packets.
    public var length: MediaTime
    /// When the first frame is presented by the container's clock. Times count from here.
    public var start: FrameTime

    public var codec: String
    public var profile: String?
    public var pixelFormat: String?
    /// As coded.
    public var codedWidth: Int
    public var codedHeight: Int
    /// Of a picture, upright with square pixels.
    public var width: Int
    public var height: Int
    /// The clockwise turn that stands the picture upright, in degrees.
    public var rotation: Int
    public var isMirrored: Bool
    /// As `64:45`.
    public var sampleAspectRatio: String
    /// Whether the first frame is flagged as interlaced.
    public var isInterlaced: Bool

    /// Frames a second, on average over the first packets; `nil` with one frame.
    public var frameRate: MediaTime?
    /// Whether the distances between frames differ by more than a tick.
    public var hasVariableFrameRate: Bool
    /// The shortest and longest distance between key frames; `nil` with one key frame in what was looked at.
    public var keyDistance: ClosedRange<MediaTime>?
    /// Edits in an MP4's edit list, which shifts or cuts the video, or parts that Matroska's ordered chapters show; 0 without.
    public var edits: Int
    /// Packets that an edit list hides: they are decoded and not shown.
    public var hiddenPackets: Int

    public var matrix: PictureFacts.Colour
    public var range: PictureFacts.Colour
    public var primaries: PictureFacts.Colour
    public var transfer: PictureFacts.Colour
    /// `PQ`, `HLG`, `Dolby Vision profile 5`; `nil` for SDR.
    public var highDynamicRange: String?
    /// `audio: aac`; `nil` for nothing.
    public var otherStreams: String?
    /// What an HLS stream's playlists say; `nil` for a single video.
    public var stream: StreamInfo?
    /// What is done about what is special here, in sentences.
    public var actions: [String]
}
