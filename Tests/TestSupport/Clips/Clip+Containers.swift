/// Files laid out in different ways around the same coded frames.
extension Clip {
    private static let plain = ClipFacts.steady(per: 12800, step: 512)
    /// Without an edit list the frames start where their reordering leaves them.
    private static let fragments = ClipFacts.steady(per: 12800, from: 1024, step: 512)
    private static let milliseconds = ClipFacts.steady(per: 1000, step: 40)

    /// `moov` after `mdat`, as ffmpeg writes it unasked.
    public static let moovLast = h264
    public static let moovFirst = Clip("moov-first", "mp4", plain, copying: h264, ["-movflags", "+faststart"])
    /// Fragments without an index: no `sidx`, no `mfra`.
    public static let fragmented = Clip(
        "fragmented", "mp4", fragments, copying: h264,
        ["-movflags", "+frag_keyframe+empty_moov+default_base_moof+skip_trailer"])
    /// Fragments that count from the start of the file, with `mfra` at the end.
    public static let fragmentedWithMFRA = Clip(
        "fragmented-mfra", "mp4", fragments, copying: h264, ["-movflags", "+frag_keyframe+empty_moov"])
    public static let fragmentedWithSIDX = Clip(
        "fragmented-sidx", "mp4", fragments, copying: h264,
        ["-movflags", "+frag_keyframe+empty_moov+default_base_moof+global_sidx"])
    /// Sizes and offsets in 64 bits: `mdat` with a large size, `co64`.
    public static let wideOffsets = Clip("64-bit-offsets", "mp4", plain, .patched(h264, .widen))
    public static let mov = Clip("h264", "mov", plain, copying: h264)
    public static let mkv = Clip("h264-b-frames", "mkv", milliseconds, copying: h264)
    /// libavformat makes decoding times up for Matroska, and gets those of HEVC wrong.
    public static let hevcInMKV = Clip("hevc-b-frames", "mkv", milliseconds, copying: hevc)
    /// Written to a pipe: no cues, no duration.
    public static let mkvPiped = Clip(
        "mkv-without-cues", "mkv", milliseconds, copying: h264, ["-f", "matroska", "-live", "1"])
    public static let webmLive = Clip("webm-live", "webm", milliseconds, copying: vp9, ["-f", "webm", "-live", "1"])
    public static let ts = Clip("h264-b-frames", "ts", .steady(per: 90000, from: 133200, step: 3600), copying: h264)
    public static let keyFramesInTS = Clip(
        "h264-key-frames-only", "ts", .steady(per: 90000, from: 126000, step: 3600), copying: h264KeyFramesOnly)
    public static let openGOPInTS = Clip(
        "h264-open-gop", "ts", .steady(per: 90000, from: 133200, step: 3600), copying: h264OpenGOP)
    public static let openGOPInMKV = Clip("h264-open-gop", "mkv", milliseconds, copying: h264OpenGOP)
    public static let nut = Clip("h264-b-frames", "nut", .steady(per: 51200, from: 4096, step: 2048), copying: h264)
    public static let mxf = Clip(
        "mpeg2", "mxf", .steady(per: 25, step: 1), ["-c:v", "mpeg2video", "-bf", "2", "-g", "12"])

    /// The cover is a video stream to libavformat; it is not the video.
    public static let coverArt = Clip("cover-art", "mp4", plain, withCover(h264, ["-disposition:v:1", "attached_pic"]))
    public static let coverArtMKV = Clip(
        "cover-art", "mkv", milliseconds,
        .commands(
            [
                cover,
                ["-i", "{clip}", "-map", "0", "-c", "copy", "-attach", "{work}/cover.png"]
                    + ["-metadata:s:t", "mimetype=image/png", "{out}"],
            ], sources: [], clips: [h264]))
    /// Two video tracks: the first is the video, the second is larger and shows nothing.
    public static let twoTracks = Clip(
        "two-video-tracks", "mp4", plain,
        .commands(
            [
                [
                    "-i", "{clip}", "-f", "lavfi", "-i", "color=red:s=320x180:r=25", "-map", "0", "-map", "1:v", "-t",
                    "2.4",
                ]
                    + ["-c:v:0", "copy", "-c:v:1", "mpeg4", "-disposition:v:1", "0", "{out}"]
            ], sources: [], clips: [h264]))

    private static let cover = ["-f", "lavfi", "-i", "color=red:s=300x300", "-frames:v", "1", "{work}/cover.png"]

    private static func withCover(_ clip: Clip, _ arguments: [String]) -> ClipRecipe {
        let join = ["-i", "{clip}", "-i", "{work}/cover.png", "-map", "0", "-map", "1", "-c", "copy"]
        return .commands([cover, join + arguments + ["{out}"]], sources: [], clips: [clip])
    }

    public static let containers: [Clip] = [
        moovFirst, fragmented, fragmentedWithMFRA, fragmentedWithSIDX, wideOffsets, mov, mkv, hevcInMKV, mkvPiped,
        webmLive, ts, keyFramesInTS,
        openGOPInTS, openGOPInMKV, nut, mxf, coverArt, coverArtMKV, twoTracks,
    ]
}
