/// Clips of fields that are not two to a frame, as other clips have them.
extension Clip {
    /// Each picture is one field, of half the height.
    public static let hevcFields = Clip(
        "hevc-fields", "mp4", .untimed(60),
        ["-vf", "scale=192:54:flags=area,setfield=tff"] + x265("interlace=tff") + ["-tag:v", "hvc1"])

    // MARK: Field pictures

    /// Each packet holds one field; both fields of a frame show its number.
    public static let fieldPictures: [Clip] = [true, false].flatMap { topFirst -> [Clip] in
        let name = topFirst ? "paff-top-first" : "paff-bottom-first"
        let raw = Clip(
            name, "h264", .untimed(20).sized(192, 96),
            .bytes(FieldPictures(count: 20, topFirst: topFirst).bytes))
        // Each field has a time of its own, half a frame after the one before.
        func timed(_ step: Int) -> [String] { ["-bsf:v", "setts=pts=N*\(step):dts=N*\(step)"] }
        return [
            raw,
            Clip(
                name, "ts", .steady(20, per: 90000, from: 126000, step: 3600).sized(192, 96), copying: raw,
                before: ["-r", "50"], timed(1800)),
            Clip(
                name, "mkv", .steady(20, per: 1000, step: 40).sized(192, 96), copying: raw, before: ["-r", "50"],
                timed(20)),
        ]
    }

    /// The same of MPEG-2, whose two fields FFmpeg joins in one packet.
    public static let mpeg2FieldPictures: [Clip] = [true, false].flatMap { topFirst -> [Clip] in
        let name = "mpeg2-fields-" + (topFirst ? "top" : "bottom")
        let (width, height) = (MPEG2Pictures.width, MPEG2Pictures.height)
        let raw = Clip(
            name, "m2v", .untimed(20).sized(width, height),
            .bytes(MPEG2Pictures(count: 20, coding: .fields(topFirst: topFirst)).bytes))
        let timed = [("ts", Int64(126_000)), ("mpg", 45_000)].map { container, start in
            Clip(
                name, container, .steady(20, per: 90000, from: start, step: 3000).sized(width, height), copying: raw,
                ["-bsf:v", "setts=pts=N*3000:dts=N*3000"])
        }
        return [raw] + timed
    }

    /// The same, each second field brighter.
    public static let unequalFields: [Clip] = [true, false].map { topFirst in
        Clip(
            "mpeg2-unequal-fields-" + (topFirst ? "top" : "bottom"), "m2v",
            .untimed(7).sized(MPEG2Pictures.width, MPEG2Pictures.height),
            .bytes(MPEG2Pictures(count: 7, coding: .unequalFields(topFirst: topFirst)).bytes))
    }

    /// The last picture is a field without its pair.
    public static let loneField = Clip(
        "paff-lone-field", "h264", .untimed(8).sized(192, 96),
        .bytes(FieldPictures(count: 8, topFirst: true, lacksLastField: true).bytes))

    // MARK: Film

    /// Film of 24 frames/s, without loss.
    public static let film = Clip(
        "film", "mp4", .steady(24, per: 12288, step: 512), from: FrameSource(count: 24, rate: "24"),
        x264 + ["-qp", "0"])
    /// The same spread over the fields of 30 frames/s (3:2 pulldown), all flagged as interlaced.
    public static let telecined: [Clip] = ["t", "b"].map { first in
        Clip(
            "telecined-\(first)ff", "mp4", .listed((0..<30).map { $0 * 512 }, per: 15360, numbers: filmNumbers),
            .commands(
                [
                    [
                        "-i", "{clip}", "-vf",
                        "telecine=first_field=\(first == "t" ? "top" : "bottom"):pattern=23,setfield=\(first)ff",
                        "-frames:v", "30", "-r", "30",
                    ] + x264("\(first)ff=1") + ["-qp", "0", "{out}"]
                ], sources: [], clips: [film]))
    }
    /// The film frame that the first field of each video frame is of: AA BB BC CD DD.
    private static let filmNumbers = (0..<30).map { $0 / 5 * 4 + [0, 1, 1, 2, 3][$0 % 5] }

    /// Film whose fields are repeated by flags (soft telecine): 24 whole frames are shown in the time of 60 fields.
    public static let softTelecined: [Clip] = {
        let (width, height) = (MPEG2Pictures.width, MPEG2Pictures.height)
        let raw = Clip(
            "soft-telecine", "m2v", .untimed(24).sized(width, height),
            .bytes(MPEG2Pictures(count: 24, coding: .film).bytes))
        let time = "1500*ceil(N*5/2)"
        let fields = (0..<24).map { ($0 * 5 + 1) / 2 }  // 0, 3, 5, 8
        let timed = [("ts", 126_000), ("mpg", 45_000)].map { container, start -> Clip in
            let facts = ClipFacts.listed(fields.map { Int64(start + 1500 * $0) }, per: 90000)
            return Clip(
                "soft-telecine", container, facts.sized(width, height), copying: raw,
                ["-bsf:v", "setts=pts=\(time):dts=\(time)"])
        }
        return [raw] + timed
    }()

    /// Film with grain and with detail as fine as a comb, of each kind of ``motion``: as it is, flagged as interlaced, and
    /// spread over fields.
    public static let grainyFilm: [(name: String, film: Clip, flagged: Clip, telecined: Clip)] = motion.map {
        let (name, moving, _) = $0
        func clip(_ kind: String, _ facts: ClipFacts, of clip: Clip, filter: String, rate: Int, fields: String)
            -> Clip
        {
            let command = ["-i", "{clip}", "-vf", filter, "-frames:v", "\(facts.frameCount)", "-r", "\(rate)"]
            return Clip(
                "grainy-\(kind)-\(name)", "mp4", facts.sized(352, 288),
                .commands([command + x264(fields) + ["-qp", "0", "{out}"]], sources: [], clips: [clip]))
        }
        let facts = ClipFacts.steady(24, per: 12288, step: 512)
        let film = clip(
            "film", facts, of: moving,
            filter: "select=not(mod(n\\,2)),setpts=N/24/TB,noise=alls=5:allf=t:all_seed=3", rate: 24, fields: "")
        return (
            name, film, clip("flagged", facts, of: film, filter: "setfield=tff", rate: 24, fields: "tff=1"),
            clip(
                "telecined", .listed((0..<30).map { $0 * 512 }, per: 15360, numbers: filmNumbers), of: film,
                filter: "telecine=pattern=23,setfield=tff", rate: 30, fields: "tff=1")
        )
    }

    // MARK: Motion

    /// Movement of all kinds in 50 whole frames a second, and the same in 25 frames of two fields each.
    public static let motion: [(name: String, whole: Clip, fields: Clip)] = [
        ("fractal", ["-f", "lavfi", "-i", "mandelbrot=s=352x288:r=50"], [], ""),
        ("shapes", ["-f", "lavfi", "-i", "testsrc2=s=352x288:r=50"], [], ""),
        (
            "pan", ["{source}"], [FrameSource(width: 768, height: 432, first: 77, count: 1, rate: "50")],
            "loop=loop=47:size=1,crop=352:288:x=4*n:y=n,"
        ),
    ].map { name, input, sources, filter in
        let coded = ["-c:v", "ffv1", "-level", "3", "{out}"]
        let whole = Clip(
            "motion-" + name, "mkv", .steady(48, per: 1000, step: 20).sized(352, 288),
            .commands(
                [input + ["-vf", filter + "format=gray", "-frames:v", "48"] + coded], sources: sources, clips: []))
        let fields = Clip(
            "motion-fields-" + name, "mkv", .steady(24, per: 1000, step: 40).sized(352, 288),
            .commands(
                [["-i", "{clip}", "-vf", "tinterlace=interleave_top,setfield=tff"] + coded], sources: [],
                clips: [whole]))
        return (name, whole, fields)
    }
}
