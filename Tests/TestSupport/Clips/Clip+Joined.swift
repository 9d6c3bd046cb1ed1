/// Videos to be joined: the numbers of one go on where those of another end, and their clocks begin alike.
extension Clip {
    private static func part(_ name: String, _ fileExtension: String, first: Int, count: Int, _ codec: [String]) -> Clip
    {
        Clip(
            "\(name)-\(first)", fileExtension,
            facts(fileExtension, first: first, count: count),
            from: FrameSource(first: first, count: count), codec)
    }

    private static func facts(_ fileExtension: String, first: Int, count: Int) -> ClipFacts {
        switch fileExtension {
        case "webm": .steady(count, per: 1000, step: 40, first: first)
        case "flv": .steady(count, per: 1000, from: 80, step: 40, first: first)
        case "ts": .steady(count, per: 90000, from: 133_200, step: 3600, first: first)
        default: .steady(count, per: 90000, from: 48_600, step: 3600, first: first)
        }
    }

    private static let partCodec = ["-c:v", "libx264", "-bf", "2", "-g", "12", "-pix_fmt", "yuv420p"]
    private static let partCodecInPS = ["-c:v", "mpeg2video", "-bf", "2", "-g", "12", "-q:v", "3"]

    /// A long, a short and a middling one.
    public static let partsInTS = [(0, 60), (60, 15), (75, 40)].map {
        part("part", "ts", first: $0, count: $1, partCodec)
    }
    public static let partsInPS = [(0, 60), (60, 30), (90, 40)].map {
        part("part", "mpg", first: $0, count: $1, partCodecInPS)
    }
    public static let partsInMPEG1 = [(0, 30), (30, 30)].map {
        part("part-mpeg1", "mpg", first: $0, count: $1, ["-c:v", "mpeg1video", "-bf", "2", "-g", "12", "-f", "mpeg"])
    }
    public static let partsInWebM = [(0, 60), (60, 15), (75, 40)].map {
        part("part", "webm", first: $0, count: $1, partCodecInWebM)
    }
    /// With key frames at different times.
    public static let partsInFLV = [(0, "12"), (60, "10")].map {
        part("part-\($1)", "flv", first: $0, count: 60, partCodec + ["-g", $1])
    }
    /// Written as they came: what they hold doesn't say how long it is.
    public static let partsInLiveWebM = [(0, 30), (30, 30)].map {
        part("part-live", "webm", first: $0, count: $1, partCodecInWebM + ["-live", "1"])
    }
    private static let partCodecInWebM = [
        "-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-g", "12", "-b:v", "1M",
    ]
    /// With a time before each packet.
    public static let partsInM2TS = [(0, 30), (30, 30)].map {
        part("part", "m2ts", first: $0, count: $1, partCodec + ["-f", "mpegts", "-mpegts_m2ts_mode", "1"])
    }
}
