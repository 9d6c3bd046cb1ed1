/// Clips whose frames are two fields.
extension Clip {
    /// Both fields of a frame show the same number: readable without deinterlacing.
    public static let h264TopFieldFirst = Clip(
        "h264-top-field-first", "mp4", .steady(per: 12800, step: 512), x264("tff=1"))
    public static let h264BottomFieldFirst = Clip(
        "h264-bottom-field-first", "mp4", .steady(per: 12800, step: 512), x264("bff=1"))
    public static let h264InterlacedTS = Clip(
        "h264-top-field-first", "ts", .steady(per: 90000, from: 133200, step: 3600), copying: h264TopFieldFirst)
    public static let mpeg2Interlaced = Clip(
        "mpeg2-interlaced", "ts", .steady(per: 90000, from: 129600, step: 3600),
        ["-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-top", "1", "-bf", "2", "-g", "12", "-q:v", "3"])

    /// The fields of frame k show the numbers 2k and, one field later, 2k + 1. The number on a frame is that of its
    /// first field, readable after deinterlacing.
    public static let combedTopFirst = Clip(
        "combed-top-first", "mp4", combedFacts, from: FrameSource(count: 48, rate: "50"),
        ["-vf", "tinterlace=interleave_top,setfield=tff", "-r", "25"] + x264("tff=1"))
    public static let combedBottomFirst = Clip(
        "combed-bottom-first", "mp4", combedFacts, from: FrameSource(count: 48, rate: "50"),
        ["-vf", "tinterlace=interleave_bottom,setfield=bff", "-r", "25"] + x264("bff=1"))

    private static let combedFacts = ClipFacts.listed(
        (0..<24).map { $0 * 512 }, per: 12800, numbers: (0..<24).map { $0 * 2 })

    public static let interlaced: [Clip] = [
        h264TopFieldFirst, h264BottomFieldFirst, h264InterlacedTS, mpeg2Interlaced,
    ]
    /// Readable after deinterlacing only.
    public static let combed: [Clip] = [combedTopFirst, combedBottomFirst]
}
