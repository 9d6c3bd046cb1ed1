/// Pictures that lie, are shaped or are stored in different ways.
extension Clip {
    /// One clip for each orientation: the frames are upright when the display matrix is applied.
    public static let orientations: [Clip] = Turn.allCases.map { turn in
        let source = FrameSource(count: 24, turn: turn.inverse)
        let facts = ClipFacts.steady(24, per: 12800, step: 512).turned(turn.inverse)
        let stored = Clip("stored-\(turn.rawValue)", "mp4", facts, from: source, x264)
        var upright = facts
        upright.turn = turn
        let patch = BytePatch.displayMatrix(turn, width: facts.width, height: facts.height)
        return Clip("turned-\(turn.rawValue)", "mp4", upright, .patched(stored, patch))
    }

    /// Turned by a quarter up to the second key frame, by a message at the first (ITU-T H.264, D.1.27).
    public static let turnedByMessage = Clip(
        "turned-by-message", "mp4", .steady(per: 12800, step: 512), copying: h264,
        ["-bsf:v", "h264_metadata=display_orientation=insert:rotate=90"])

    /// Pixels that are not square.
    public static let sampleAspectRatios: [Clip] = [(64, 45), (8, 9), (1, 2)].flatMap { ratio -> [Clip] in
        let facts = ClipFacts.steady(12, per: 12800, step: 512).stretched(ratio.0, ratio.1)
        let arguments = ["-vf", "setsar=\(ratio.0)/\(ratio.1)"] + x264
        let name = "sar-\(ratio.0)-\(ratio.1)"
        let milliseconds = ClipFacts.steady(12, per: 1000, step: 40).stretched(ratio.0, ratio.1)
        return [
            Clip(name, "mp4", facts, from: FrameSource(count: 12), arguments),
            Clip(name, "mkv", milliseconds, from: FrameSource(count: 12), arguments),
        ]
    }

    /// A clip of six frames without loss in a pixel format, by its FFmpeg name.
    public static func pixelFormat(_ format: String) -> Clip {
        let small = FrameSource(width: 96, height: 60, count: 6)
        let nut = ClipFacts.steady(6, per: 51200, step: 2048).sized(96, 60)
        let matroska = ClipFacts.steady(6, per: 1000, step: 40).sized(96, 60)
        let name = "pixels-" + format
        if codedByFFV1.contains(format) {
            return Clip(name, "mkv", matroska, from: small, ["-c:v", "ffv1", "-pix_fmt", format])
        }
        if codedAsPNG.contains(format) {
            return Clip(name, "mkv", matroska, from: small, ["-c:v", "png", "-pix_fmt", format])
        }
        if format.hasPrefix("yuvj") {
            return Clip(name, "mkv", matroska, from: small, ["-c:v", "mjpeg", "-q:v", "2", "-pix_fmt", format])
        }
        return Clip(name, "nut", nut, from: small, ["-c:v", "rawvideo", "-pix_fmt", format])
    }

    private static let codedByFFV1: Set<String> = [
        "yuv420p", "yuv422p", "yuv444p", "yuv440p", "yuv411p", "yuv410p", "gray", "gray10le", "gray16le", "yuv420p10le",
        "yuv422p10le", "yuv444p12le", "yuv444p16le", "gbrp10le", "gbrp16le", "yuva420p", "yuva444p10le", "bgra",
        "rgb48le",
        "rgba64le",
    ]
    private static let codedAsPNG: Set<String> = ["rgb24", "rgba", "pal8", "ya8", "rgb48be", "monob", "gray16be"]
    private static let stored: [String] = [
        "gbrp", "yuvj420p", "yuvj422p", "yuvj444p", "yuyv422", "uyvy422", "nv12", "nv21", "bgr24",
        "bgr0", "rgb565le", "rgb555le", "rgb8", "argb", "monow",
    ]

    public static let pixelFormats: [Clip] = (codedByFFV1.sorted() + codedAsPNG.sorted() + stored).map(pixelFormat)

    /// Ten bits and more colour, as the codecs of the day carry them.
    public static let deep: [Clip] = [
        Clip(
            "h264-10-bit", "mp4", .steady(24, per: 12800, step: 512), from: FrameSource(count: 24),
            x264 + ["-pix_fmt", "yuv420p10le"]),
        Clip(
            "h264-422", "mp4", .steady(24, per: 12800, step: 512), from: FrameSource(count: 24),
            x264 + ["-pix_fmt", "yuv422p"]),
        Clip(
            "hevc-10-bit", "mp4", .steady(24, per: 12800, step: 512), from: FrameSource(count: 24),
            x265("") + ["-pix_fmt", "yuv420p10le"]),
        Clip(
            "vp9-444", "webm", .steady(24, per: 1000, step: 40), from: FrameSource(count: 24),
            ["-c:v", "libvpx-vp9", "-cpu-used", "5", "-pix_fmt", "yuv444p"]),
        Clip(
            "vp8-alpha", "webm", .steady(24, per: 1000, step: 40), from: FrameSource(count: 24),
            ["-c:v", "libvpx", "-cpu-used", "5", "-auto-alt-ref", "0", "-b:v", "2M", "-pix_fmt", "yuva420p"]),
        Clip(
            "vp9-alpha", "webm", .steady(24, per: 1000, step: 40), from: FrameSource(count: 24),
            ["-c:v", "libvpx-vp9", "-cpu-used", "5", "-auto-alt-ref", "0", "-pix_fmt", "yuva420p"]),
    ]

    /// Sizes down to one pixel. The numbers of the smallest are grey levels (``FlatPattern``).
    public static let sizes: [Clip] =
        [(1, 1), (2, 2), (3, 5), (17, 33), (33, 17), (65, 37), (101, 57)].flatMap { size in
            let source = FrameSource(width: size.0, height: size.1, count: 5)
            let facts = ClipFacts.steady(5, per: 1000, step: 40).sized(size.0, size.1)
            return [
                Clip("size-\(size.0)x\(size.1)", "mkv", facts, from: source, ["-c:v", "ffv1", "-pix_fmt", "yuv420p"]),
                Clip("size-\(size.0)x\(size.1)-rgb", "mkv", facts, from: source, ["-c:v", "png", "-pix_fmt", "rgb24"]),
            ]
        } + [
            Clip(
                "size-101x57-h264", "mp4", .steady(5, per: 12800, step: 512).sized(101, 57),
                from: FrameSource(width: 101, height: 57, count: 5), x264 + ["-pix_fmt", "yuv444p"])
        ]

    /// The stream says to cut 24, 8, 12 and 4 pixels of red from the left, right, top and bottom.
    public static let cropped = Clip(
        "h264-cropped", "mp4", .steady(24, per: 12800, step: 512), from: FrameSource(count: 24),
        ["-vf", "pad=iw+32:ih+16:24:12:red"] + x264
            + ["-bsf:v", "h264_metadata=crop_left=24:crop_right=8:crop_top=12:crop_bottom=8"])

    /// 24, 8, 12 and 4 pixels of red at the left, right, top and bottom, which the file's clean aperture leaves out.
    public static let cleanAperture = Clip(
        "h264-clean-aperture", "mp4", .steady(24, per: 12800, step: 512),
        .patched(bordered, .cleanAperture(width: 192, height: 108, right: 8, down: 4)))
    private static let bordered = Clip(
        "h264-bordered", "mp4", .steady(24, per: 12800, step: 512).sized(224, 124), from: FrameSource(count: 24),
        ["-vf", "pad=iw+32:ih+16:24:12:red"] + x264)

    /// The same of Matroska: `PixelCropLeft` and the like.
    public static let pixelCrop = Clip(
        "matroska-pixel-crop", "mkv", .steady(24, per: 1000, step: 40),
        .patched(
            borderedMatroska("square", aspect: "1"), .pixelCrop(left: 24, right: 8, top: 12, bottom: 4, shown: nil)))

    /// The part that is left is shown at 32:9, which is 384 by 108.
    public static let pixelCropOfWidePixels = Clip(
        "matroska-pixel-crop-wide", "mkv", .steady(24, per: 1000, step: 40),
        .patched(
            borderedMatroska("wide", aspect: "2"),
            .pixelCrop(left: 24, right: 8, top: 12, bottom: 4, shown: (32, 9))))

    private static func borderedMatroska(_ name: String, aspect: String) -> Clip {
        Clip(
            "matroska-bordered-" + name, "mkv", .steady(24, per: 1000, step: 40).sized(224, 124),
            from: FrameSource(count: 24),
            ["-vf", "pad=iw+32:ih+16:24:12:red,setsar=" + aspect] + x264
                + ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"])
    }

    /// Upright by the nearest right angle only: turned by 3 and by 93 degrees, and sheared.
    public static let oddlyTurned: [Clip] = [
        ("by-3", Turn.none, [0.9986, 0.0523, -0.0523, 0.9986]), ("sheared", .none, [1, 0, 0.4, 1]),
        ("by-93", .clockwise, [-0.0523, 0.9986, -0.9986, -0.0523]),
    ].map { name, turn, matrix in
        let stored = Clip(
            "stored-oddly-" + name, "mp4", ClipFacts.steady(12, per: 12800, step: 512).turned(turn.inverse),
            from: FrameSource(count: 12, turn: turn.inverse), x264)
        return Clip("turned-" + name, "mp4", stored.facts, .patched(stored, .displayMatrix(matrix)))
    }

    /// Turned to the right, and then twice as high: the container tells no shape of pixels.
    public static let turnedAndStretched: Clip = {
        let stored = Clip(
            "stored-and-stretched", "mp4", ClipFacts.steady(12, per: 12800, step: 512).turned(.counterclockwise),
            from: FrameSource(count: 12, turn: .counterclockwise), x264)
        return Clip("turned-and-stretched", "mp4", stored.facts, .patched(stored, .displayMatrix([0, 2, -1, 0])))
    }()

    /// Two views in a picture, by the stream's own word and by the container's, and a sphere; with what each is called.
    public static let views: [(Clip, String)] = [
        (
            Clip(
                "side-by-side", "mp4", .steady(12, per: 12800, step: 512), from: FrameSource(count: 12),
                x264("frame-packing=3")), "side by side"
        ),
        (
            Clip(
                "top-and-bottom", "mkv", .steady(12, per: 1000, step: 40), from: FrameSource(count: 12),
                x264 + ["-metadata:s:v", "stereo_mode=top_bottom"]), "top and bottom"
        ),
        (
            Clip(
                "sphere", "mp4", .steady(12, per: 12800, step: 512),
                .patched(
                    Clip("flat", "mp4", .steady(12, per: 12800, step: 512), from: FrameSource(count: 12), x264),
                    .equirectangular)),
            "equirectangular"
        ),
    ]

    public static let pictures: [Clip] = orientations + sampleAspectRatios + pixelFormats + deep + sizes + [cropped]
}
