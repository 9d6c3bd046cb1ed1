/// AVI has a time for each packet in decoding order, and none of frames on screen.
extension Clip {
    private static func mpeg4(_ name: String, first: Int = 0, count: Int = 60, _ arguments: [String]) -> Clip {
        Clip(
            name, "avi", .untimed(count, first: first), from: FrameSource(first: first, count: count),
            ["-c:v", "mpeg4", "-g", "12", "-q:v", "3"] + arguments)
    }

    /// B-frames in the packets of the frames before them, as DivX has them.
    public static let mpeg4Packed = Clip(
        "mpeg4-packed", "avi", .untimed(60),
        .patched(mpeg4("mpeg4-one-b-frame", ["-bf", "1"]), AVIPackets.patch("pack as DivX") { $0.pack() }))

    private static let frozen = mpeg4(
        "mpeg4-frozen", count: 18, ["-bf", "2", "-b_strategy", "1", "-b_sensitivity", "9999"])
    private static let moving = mpeg4("mpeg4-moving", first: 18, count: 42, ["-bf", "2"])
    /// B-frames come only behind the first groups of pictures, as they do where a video begins with a still.
    public static let mpeg4LateBFrames = Clip(
        "mpeg4-late-b-frames", "avi", .untimed(60),
        .patched(
            frozen,
            AVIPackets.patch("go on with moving frames") { video in
                guard !video.packets.contains(where: { AVIPackets.pictureType(of: $0) == 2 }) else {
                    throw ProcessError("B-frames came too early")
                }
                video.packets += try AVIPackets(moving.bytes()).packets
            }))
    /// The last frame of each group of twelve only says that the one before stays, and shows that one's number.
    public static let mpeg4Repeating = Clip(
        "mpeg4-repeating", "avi", .untimed(60),
        .patched(
            mpeg4("mpeg4-without-b-frames", ["-bf", "0"]),
            AVIPackets.patch("repeat the eleventh of twelve") { video in
                for index in stride(from: 11, to: 60, by: 12) { video.packets[index] = AVIPackets.repeatedFrame }
            }))

    /// AVI has decoding order only; the times of B-frames are for the reader to find.
    public static let h264InAVI = Clip(
        "h264-b-frames", "avi", .untimed(60), copying: h264, ["-bsf:v", "h264_mp4toannexb"])
    /// Behind each key frame but the first come frames that are shown before it, and can't be decoded from there.
    public static let h264OpenGOPInAVI = Clip(
        "h264-open-gop", "avi", .untimed(60), copying: h264OpenGOP, ["-bsf:v", "h264_mp4toannexb"])

    public static let inAVI = [h264InAVI, h264OpenGOPInAVI, mpeg4Packed, mpeg4LateBFrames]
}
