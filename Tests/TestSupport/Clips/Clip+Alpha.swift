/// Clips whose opacity is a formula, so that each frame and each column of it is known by its alpha alone.
extension Clip {
    /// Twelve frames of 128x64, all of one colour, 25 a second.
    public static let alphaRamps: [Clip] = [
        ramp(
            "vp8", "webm", "yuva420p", ["-c:v", "libvpx", "-auto-alt-ref", "0", "-crf", "4", "-b:v", "5M", "-g", "5"]),
        ramp(
            "vp9", "webm", "yuva420p",
            ["-c:v", "libvpx-vp9", "-cpu-used", "5", "-auto-alt-ref", "0", "-crf", "4", "-b:v", "0", "-g", "5"]),
        ramp(
            "prores-4444", "mov", "yuva444p10le",
            ["-c:v", "prores_ks", "-profile:v", "4444", "-alpha_bits", "16"]),
        ramp("qtrle", "mov", "argb", ["-c:v", "qtrle"]),
        ramp("png", "mkv", "rgba", ["-c:v", "png"]),
        ramp("apng", "apng", "rgba", ["-c:v", "apng"]),
        ramp("utvideo", "avi", "gbrap", ["-c:v", "utvideo"]),
        ramp("ffv1", "mkv", "yuva444p10le", ["-c:v", "ffv1"]),
    ]

    /// Whether the clip's codec loses something of alpha.
    public var losesAlpha: Bool { fileExtension == "webm" }

    /// Of the ramps, 0 to 255.
    public static func opacity(x: Int, frame: Int) -> Int { min(x + 8 * frame, 255) }

    /// The same as this clip holds it: the ffmpeg command makes ten bits of eight by adding two zeros.
    public func codedOpacity(x: Int, frame: Int) -> Int {
        let opacity = Self.opacity(x: x, frame: frame)
        return ["alpha-prores-4444", "alpha-ffv1"].contains(name) ? (4 * opacity * 255 + 511) / 1023 : opacity
    }

    /// The ramps' red, green and blue.
    public static let rampColour = [200, 60, 30]

    /// HEVC that names a layer of alpha and has none: a message of the encoder's is given the type of that one.
    public static let namesAlphaLayer = Clip(
        "hevc-names-alpha", "mp4", .steady(24, per: 12800, step: 512),
        .patched(
            Clip(
                "hevc-with-message", "mp4", .steady(24, per: 12800, step: 512), from: FrameSource(count: 24),
                ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error"]),
            .replaceAll([0x4E, 1, 5, 0xFF], name: "alpha channel information") { $0[$1 + 2] = 165 }))

    /// A stream of VP8 in IVF, to be put together anew: 24 frames of 128x64 of a colour, with a key frame each so many.
    public static func colourStream(keyDistance: Int) -> Clip {
        layer("colour", "format=gbrp,geq=r=200:g=60:b=30", keyDistance, "128x64")
    }

    /// Such a stream whose luma is the ramp of opacity.
    public static func opacityStream(keyDistance: Int, size: String = "128x64") -> Clip {
        layer("opacity", "format=yuv420p,geq=lum='min(X+8*N,255)':cb=128:cr=128", keyDistance, size)
    }

    /// H.265 of 24 frames of 128x64: of one colour, the same multiplied by the ramp of opacity, or that ramp as luma.
    ///
    /// - Parameter hashed: Whether each picture has its hash with it.
    public static func hevcLayer(
        _ layer: HEVCLayer, keyDistance: Int = 9, reordered: Bool = true, hashed: Bool = true
    ) -> Clip {
        let filter =
            switch layer {
            case .colour: "format=gbrp,geq=r=200:g=60:b=30"
            case .multipliedColour:
                "format=gbrp,geq=r='200*min(X+8*N,255)/255':g='60*min(X+8*N,255)/255':b='30*min(X+8*N,255)/255'"
            case .opacity: "format=yuv420p,geq=lum='min(X+8*N,255)':cb=128:cr=128"
            }
        let parameters =
            "log-level=error:hash=\(hashed ? 1 : 0):keyint=\(keyDistance):min-keyint=\(keyDistance):scenecut=0:b-adapt=0:"
            + "bframes=\(reordered ? 2 : 0)"
        let command = [
            "-f", "lavfi", "-i", "color=black:s=128x64:r=25:d=0.96", "-vf", filter, "-pix_fmt", "yuv420p", "-c:v",
            "libx265", "-preset", "ultrafast", "-crf", "4", "-x265-params", parameters, "-tag:v", "hvc1",
        ]
        return Clip(
            "hevc-\(layer)-\(keyDistance)-\(reordered)-\(hashed)", "mp4",
            .steady(24, per: 12800, step: 512).sized(128, 64),
            .commands([command + ["{out}"]], sources: [], clips: []))
    }

    public enum HEVCLayer: Sendable { case colour, multipliedColour, opacity }

    private static func ramp(_ name: String, _ fileExtension: String, _ format: String, _ codec: [String]) -> Clip {
        let filter = "format=gbrap,geq=r=200:g=60:b=30:a='min(X+8*N,255)'"
        let command =
            ["-f", "lavfi", "-i", "color=black:s=128x64:r=25:d=0.48", "-vf", filter, "-pix_fmt", format] + codec
        return Clip(
            "alpha-" + name, fileExtension, .steady(12, per: 1000, step: 40).sized(128, 64),
            .commands([command + ["{out}"]], sources: [], clips: []))
    }

    private static func layer(_ name: String, _ filter: String, _ keyDistance: Int, _ size: String) -> Clip {
        let command = [
            "-f", "lavfi", "-i", "color=black:s=\(size):r=25:d=0.96", "-vf", filter, "-pix_fmt", "yuv420p", "-c:v",
            "libvpx", "-auto-alt-ref", "0", "-lag-in-frames", "0", "-crf", "4", "-b:v", "5M", "-g", "\(keyDistance)",
            "-keyint_min", "\(keyDistance)",
        ]
        return Clip(
            "layer-\(name)-\(keyDistance)-\(size)", "ivf", .steady(24, per: 25, step: 1).sized(128, 64),
            .commands([command + ["{out}"]], sources: [], clips: []))
    }
}
