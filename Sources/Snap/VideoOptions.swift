public import SnapBase

/// How a video is opened, and the limits that hold for it.
public struct VideoOptions: Sendable, Hashable {
    /// How long one picture may take, opening included for the first. `nil` for no limit. Default 30 s.
    public var timeout: Duration? = .seconds(30)
    /// The most pixels that a picture may have. Default 134,217,728 (16384 × 8192).
    public var pixelLimit: Int64 = 1 << 27
    /// The most bytes that may be read from a network or a pipe. Default 4 GiB.
    public var byteLimit: Int64 = 4 << 30
    /// Decoder threads, 1 to 64. `nil` for as many as the machine has cores, at most 4. Default `nil`.
    public var threads: Int?
    /// Whether one picture of any frame (``Tolerance/any``) is all that will be asked for: the decoder then starts no threads
    /// for frames that follow each other. Pictures are the same. Default false.
    public var isForOneKeyFrame = false
    /// Request headers, sent to the origin of the URL only. Default none.
    public var headers: [Header] = []
    /// The `User-Agent` of requests. Default `snap/` and the version.
    public var userAgent: String?
    /// Whether a public URL may lead to a private, loopback or link-local address. Default false.
    public var allowsPrivateAddresses = false

    /// A file of certificate authorities (PEM) that are trusted instead of the system's. Default `nil`.
    public var certificateFile: String?
    /// Which variant of an HLS stream is taken. Default ``VariantSelection/automatic``: by the size of the picture.
    public var variant = VariantSelection.automatic
    /// What the times of an HLS stream count by. Default ``StreamTimeline/playlist``.
    public var timeline = StreamTimeline.playlist
    /// How old the newest frame of a live stream may be, where the stream tells. Default `nil`: as old as it is.
    public var maximumAge: Duration?

    /// Where it is kept what visits learn of the places of key frames, so that the next visit of a file without an index of
    /// its own (MPEG-TS, raw streams, Matroska without cues) goes straight to the bytes. The pictures are the same.
    /// Default `nil`: nowhere.
    public var timeIndex: TimeIndexPlace?

    /// A request header.
    public struct Header: Sendable, Hashable {
        public let name: String
        public let value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    public init() {}
}
