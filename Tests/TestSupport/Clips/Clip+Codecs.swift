/// One clip for each way of coding.
extension Clip {
    /// 60 frames at 25 a second, numbered from 0, in a file that starts at 0 and counts in 1/12800 s.
    private static let plain = ClipFacts.steady(per: 12800, step: 512)
    /// The same in milliseconds.
    private static let milliseconds = ClipFacts.steady(per: 1000, step: 40)

    static let x264 = [
        "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p",
        "-x264-params", "keyint=12:min-keyint=12:scenecut=0:bframes=3:b-adapt=0:b-pyramid=normal",
    ]

    static func x264(_ parameters: String) -> [String] { Array(x264.dropLast()) + [x264.last! + ":" + parameters] }

    static func x265(_ parameters: String) -> [String] {
        let fixed = "keyint=12:min-keyint=12:scenecut=0:bframes=3:b-adapt=0:log-level=error:"
        return ["-c:v", "libx265", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-x265-params", fixed + parameters]
    }

    public static let h264 = Clip("h264-b-frames", "mp4", plain, x264)
    public static let h264OpenGOP = Clip("h264-open-gop", "mp4", plain, x264("open-gop=1"))
    public static let h264IntraRefresh = Clip(
        "h264-intra-refresh", "mp4", plain,
        ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-x264-params", "keyint=12:intra-refresh=1"])
    public static let h264LongGOP = Clip(
        "h264-long-gop", "mp4", .steady(300, per: 12800, step: 512), from: FrameSource(count: 300),
        x264("keyint=250:min-keyint=250"))
    public static let h264KeyFramesOnly = Clip("h264-key-frames-only", "mp4", plain, x264("keyint=1:min-keyint=1"))
    /// 40 groups of 6 frames.
    public static let manyGroups = Clip(
        "h264-many-groups", "mp4", .steady(240, per: 12800, step: 512), from: FrameSource(count: 240),
        [
            "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p",
            "-x264-params", "keyint=6:min-keyint=6:scenecut=0:bframes=2",
        ])
    public static let hevc = Clip("hevc-b-frames", "mp4", plain, x265("open-gop=0") + ["-tag:v", "hvc1"])
    /// Key frames are clean random access points with leading pictures that can't be decoded after a seek.
    public static let hevcOpenGOP = Clip("hevc-open-gop", "mp4", plain, x265("open-gop=1") + ["-tag:v", "hvc1"])
    /// Pictures of two temporal sub-layers.
    public static let hevcLayers = Clip(
        "hevc-layers", "mp4", plain, x265("open-gop=0:temporal-layers=1:b-pyramid=1") + ["-tag:v", "hvc1"])
    public static let vp9 = Clip(
        "vp9-alt-ref", "webm", milliseconds,
        [
            "-c:v", "libvpx-vp9", "-deadline", "good", "-cpu-used", "5", "-auto-alt-ref", "1", "-lag-in-frames", "16",
            "-g", "24", "-b:v", "400k", "-pix_fmt", "yuv420p",
        ])
    public static let vp8 = Clip(
        "vp8-alt-ref", "webm", milliseconds,
        [
            "-c:v", "libvpx", "-deadline", "good", "-cpu-used", "5", "-auto-alt-ref", "1", "-lag-in-frames", "16",
            "-g", "24", "-b:v", "400k", "-pix_fmt", "yuv420p",
        ])
    public static let av1 = Clip(
        "av1", "mp4", plain, ["-c:v", "libsvtav1", "-preset", "10", "-g", "24", "-crf", "35", "-pix_fmt", "yuv420p"])
    public static let av1InMKV = Clip(
        "av1-libaom", "mkv", milliseconds,
        ["-c:v", "libaom-av1", "-cpu-used", "8", "-g", "24", "-crf", "35", "-b:v", "0", "-pix_fmt", "yuv420p"])
    public static let mpeg2InPS = Clip(
        "mpeg2", "mpg", .steady(per: 90000, from: 45000 + 3600, step: 3600),
        ["-c:v", "mpeg2video", "-bf", "2", "-g", "12", "-q:v", "3"])
    public static let mpeg2InTS = Clip(
        "mpeg2", "ts", .steady(per: 90000, from: 126000 + 3600, step: 3600),
        ["-c:v", "mpeg2video", "-bf", "2", "-g", "12", "-q:v", "3"])
    /// As many B pictures between others as serve.
    public static let mpeg2Adaptive = Clip(
        "mpeg2-adaptive", "mkv", milliseconds,
        ["-c:v", "mpeg2video", "-bf", "4", "-b_strategy", "2", "-g", "20", "-q:v", "3"])
    public static let mpeg2WithoutB = Clip(
        "mpeg2-without-b", "mkv", milliseconds, ["-c:v", "mpeg2video", "-bf", "0", "-g", "12", "-q:v", "3"])
    public static let mpeg2LowDelay = Clip(
        "mpeg2-low-delay", "mkv", milliseconds,
        ["-c:v", "mpeg2video", "-flags", "low_delay", "-g", "12", "-q:v", "3"])
    public static let mpeg1 = Clip(
        "mpeg1", "mpg", .steady(per: 90000, from: 45000 + 3600, step: 3600),
        ["-c:v", "mpeg1video", "-bf", "2", "-g", "12", "-q:v", "3"])
    public static let hevcWithChecksums = Clip(
        "hevc-checksums", "mp4", plain, x265("open-gop=0:hash=1") + ["-tag:v", "hvc1"])
    public static let mpeg4InAVI = Clip(
        "mpeg4-b-frames", "avi", .steady(per: 25, from: 1, step: 1),
        ["-c:v", "mpeg4", "-bf", "2", "-g", "12", "-q:v", "3"])
    public static let mpeg4InMP4 = Clip(
        "mpeg4-b-frames", "mp4", plain, ["-c:v", "mpeg4", "-bf", "2", "-g", "12", "-q:v", "3"])
    public static let prores = Clip("prores", "mov", plain, ["-c:v", "prores_ks", "-profile:v", "0"])
    public static let mjpegInMOV = Clip("mjpeg", "mov", plain, ["-c:v", "mjpeg", "-q:v", "3", "-pix_fmt", "yuvj420p"])
    public static let mjpegInAVI = Clip(
        "mjpeg", "avi", .steady(per: 25, step: 1), ["-c:v", "mjpeg", "-q:v", "3", "-pix_fmt", "yuvj420p"])
    public static let wmv2 = Clip("wmv2", "wmv", milliseconds, ["-c:v", "wmv2", "-g", "12", "-q:v", "3"])
    public static let msmpeg4 = Clip("msmpeg4", "asf", milliseconds, ["-c:v", "msmpeg4", "-g", "12", "-q:v", "3"])
    public static let flv1 = Clip("flv1", "flv", milliseconds, ["-c:v", "flv", "-g", "12", "-q:v", "3"])
    public static let h264InFLV = Clip("h264-b-frames", "flv", .steady(per: 1000, from: 80, step: 40), x264)
    public static let theora = Clip(
        "theora", "ogv", .steady(per: 25, step: 1), ["-c:v", "libtheora", "-g", "12", "-q:v", "7"])
    /// Only the first frame is whole, whatever the file says.
    public static let rpza = Clip("rpza", "mov", plain, ["-c:v", "rpza"])
    public static let ffv1 = Clip("ffv1", "mkv", milliseconds, ["-c:v", "ffv1", "-g", "12", "-pix_fmt", "yuv420p"])
    public static let ffv1WithChecksums = Clip(
        "ffv1-checksums", "mov", plain,
        ["-c:v", "ffv1", "-level", "3", "-slicecrc", "1", "-g", "12", "-pix_fmt", "yuv420p"])
    /// Frames of 144,000 bytes, one behind the other.
    public static let rawDV = Clip(
        "dv", "dv", ClipFacts.steady(12, per: 25, step: 1).sized(720, 576),
        from: FrameSource(width: 720, height: 576, count: 12), ["-c:v", "dvvideo", "-pix_fmt", "yuv420p"])
    public static let gif = Clip(
        "gif", "gif", .steady(30, per: 100, step: 4), from: FrameSource(count: 30), [])
    public static let apng = Clip(
        "apng", "apng", .steady(30, per: 100000, step: 4000), from: FrameSource(count: 30), ["-plays", "0"])

    public static let codecs: [Clip] = [
        h264, h264OpenGOP, h264IntraRefresh, h264LongGOP, h264KeyFramesOnly, hevc, hevcOpenGOP, hevcLayers,
        vp9, vp8, av1,
        av1InMKV, mpeg2InPS, mpeg2InTS, mpeg1, rpza, mpeg4InAVI, mpeg4InMP4, prores, mjpegInMOV, mjpegInAVI, wmv2,
        msmpeg4,
        flv1, h264InFLV, theora, ffv1, gif, apng,
    ]
}
