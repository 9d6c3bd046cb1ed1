/// A codec in the notation of RFC 6381, such as `avc1.64001f`.
struct CodecName {
    /// FFmpeg's name of a video codec; `nil` for audio, text, and what is not known.
    let video: String?
    /// Whether it is known what it is.
    let isKnown: Bool

    init(_ text: String) {
        let kind = text.lowercased().prefix { $0 != "." }
        video = Self.videos[String(kind)]
        isKnown = video != nil || Self.others.contains(String(kind))
    }

    private static let videos = [
        "avc1": "h264", "avc2": "h264", "avc3": "h264", "avc4": "h264", "dva1": "h264", "dvav": "h264",
        "hvc1": "hevc", "hev1": "hevc", "dvh1": "hevc", "dvhe": "hevc",
        "vvc1": "vvc", "vvi1": "vvc", "av01": "av1", "dav1": "av1", "vp08": "vp8", "vp8": "vp8", "vp09": "vp9",
        "vp9": "vp9", "mp4v": "mpeg4",
    ]
    private static let others: Set = [
        "mp4a", "ac-3", "ec-3", "ac-4", "opus", "flac", "alac", "dtsc", "dtse", "dtsh", "dtsl", "dtsx", "mha1", "mhm1",
        "iamf", "stpp", "wvtt", "tx3g", "mp3",
    ]
}
