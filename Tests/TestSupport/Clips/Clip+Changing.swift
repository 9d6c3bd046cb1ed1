/// Clips whose picture changes shape on the way.
extension Clip {
    /// 30 frames of 192 × 108, then 30 frames of 320 × 180, numbered on, in one transport stream.
    public static let changingSize = Clip(
        "changing-size", "ts", .steady(per: 90000, from: 259200, step: 3600),
        .commands(
            [
                ["{source}"] + x264 + ["{work}/1.ts"],
                ["{source1}"] + x264 + ["-output_ts_offset", "1.28", "{work}/2.ts"],
                ["-f", "mpegts", "-i", "concat:{work}/1.ts|{work}/2.ts", "-c", "copy", "-copyts", "{out}"],
            ], sources: [FrameSource(count: 30), FrameSource(width: 320, height: 180, first: 30, count: 30)], clips: [])
    )
    /// 30 frames with square pixels, then 30 with pixels of 4:3, numbered on, in one transport stream.
    public static let changingAspect = Clip(
        "changing-aspect", "ts", .steady(per: 90000, from: 259200, step: 3600),
        .commands(
            [
                ["{source}", "-vf", "setsar=1"] + x264 + ["{work}/1.ts"],
                ["{source1}", "-vf", "setsar=4/3"] + x264 + ["-output_ts_offset", "1.28", "{work}/2.ts"],
                ["-f", "mpegts", "-i", "concat:{work}/1.ts|{work}/2.ts", "-c", "copy", "-copyts", "{out}"],
            ], sources: [FrameSource(count: 30), FrameSource(first: 30, count: 30)], clips: [])
    )
    /// The sizes of its frames.
    public static let changingSizes: [(width: Int, height: Int)] = (0..<60).map { $0 < 30 ? (192, 108) : (320, 180) }
}
