import Foundation

/// Clips that count time in ways of their own.
extension Clip {
    private static let audio = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000"]
    /// Presentation times of a camera that skips and lingers, in milliseconds.
    private static let uneven: [Int64] = {
        let steps: [Int64] = [40, 17, 83, 500, 33, 33, 34, 1, 250, 9]
        return (0..<60).map { n in (0..<n).reduce(0) { $0 + steps[$1 % steps.count] } }
    }()
    /// The same as an ffmpeg expression of the frame's number.
    static let unevenFilter: [String] = {
        let parts = uneven.enumerated().map { "eq(N\\,\($0))*\($1)" }.joined(separator: "+")
        return ["-vf", "settb=1/1000,setpts=\(parts)", "-vsync", "passthrough", "-enc_time_base", "1:1000"]
    }()

    public static let variableRateMKV = Clip("variable-rate", "mkv", .listed(uneven, per: 1000), unevenFilter + x264)
    public static let variableRateMP4 = Clip(
        "variable-rate", "mp4", .listed(uneven, per: 1000), unevenFilter + x264 + ["-video_track_timescale", "1000"])
    /// The file does not say how long the last frame is shown.
    public static let lastDurationMissing = Clip(
        "last-duration-missing", "mp4", .listed(uneven, per: 1000), .patched(variableRateMP4, .lastDurationMissing))

    public static let oneFrameASecond = Clip(
        "1-fps", "mp4", .steady(12, per: 16384, step: 16384), from: FrameSource(count: 12, rate: "1"), x264)
    public static let highFrameRate = Clip(
        "120-fps", "mp4", .steady(120, per: 15360, step: 128), from: FrameSource(count: 120, rate: "120"), x264)
    public static let filmRate = Clip(
        "23.976-fps", "mp4", .steady(per: 24000, step: 1001), from: FrameSource(rate: "24000/1001"), x264)
    public static let broadcastRate = Clip(
        "29.97-fps", "mp4", .steady(per: 30000, step: 1001), from: FrameSource(rate: "30000/1001"), x264)
    /// Matroska rounds to milliseconds: 0, 33, 67, 100, 133, 167…
    public static let broadcastRateMKV = Clip(
        "29.97-fps", "mkv", .listed((0..<60).map { (Int64($0) * 1001 * 2 + 30) / 60 }, per: 1000),
        from: FrameSource(rate: "30000/1001"), x264)
    public static let oneFrame = Clip(
        "one-frame", "mp4", .steady(1, per: 12800, step: 512), from: FrameSource(count: 1), x264)

    /// Frames 12 to 16 are there to be decoded, not to be shown: the edit list starts at frame 17.
    public static let editList = Clip(
        "edit-list-pre-roll", "mp4", .steady(43, per: 12800, step: 512, first: 17), copying: h264,
        before: ["-ss", "0.68"])
    /// The same for open GOPs.
    public static let editListOpenGOP = Clip(
        "edit-list-pre-roll-open-gop", "mp4", .steady(43, per: 12800, step: 512, first: 17), copying: h264OpenGOP,
        before: ["-ss", "0.68"])
    /// The same in fragments, and with half of frame 17: libavformat moves times by the list, and leaves nothing out.
    public static let editedFragments = [
        Clip(
            "edit-list-fragments", "mp4", .steady(43, per: 12800, step: 512, first: 17), copying: h264,
            before: ["-ss", "0.68"], inFragments),
        Clip(
            "edit-list-fragments-open-gop", "mp4", .steady(43, per: 12800, step: 512, first: 17), copying: h264OpenGOP,
            before: ["-ss", "0.68"], inFragments),
        Clip(
            "edit-list-fragments-half", "mp4",
            .listed([0] + (18..<60).map { $0 * 512 - 8960 }, per: 12800, numbers: Array(17..<60)), copying: h264,
            before: ["-ss", "0.7"], inFragments),
    ]
    private static let inFragments = ["-movflags", "+frag_keyframe+delay_moov"]
    /// An empty edit delays the video by half a second against the audio.
    public static let emptyEdit = Clip(
        "empty-edit", "mp4", .steady(per: 12800, from: 6400, step: 512),
        .commands(
            [
                audio + ["-itsoffset", "0.5", "-i", "{clip}", "-map", "1:v", "-map", "0:a", "-c:v", "copy"]
                    + ["-c:a", "aac", "-t", "2.9", "{out}"]
            ], sources: [], clips: [h264]))
    /// Frames 20 to 29, then 5 to 14.
    public static let joinedEdits = edited(
        "joined", [(400, 20, 1), (400, 5, 1)], [20..<30, 5..<15].flatMap(Array.init))
    /// Frames 9 to 13, three times.
    public static let repeatedEdits = edited(
        "repeated", Array(repeating: (200, 9, 1), count: 3), [9..<14, 9..<14, 9..<14].flatMap(Array.init))
    /// Frames 5 to 14, a gap (-1), then frames 30 to 39.
    public static let gapInEdits = edited(
        "gap", [(400, 5, 1), (400, nil, 1), (400, 30, 1)],
        Array(5..<15) + Array(repeating: -1, count: 10) + Array(30..<40))
    /// Nothing for a while, from which on time counts; then frames 10, 12 and so on, twice as fast.
    public static let fastEdit = edited(
        "fast", [(600, nil, 1), (400, 10, 2)], Array(stride(from: 10, to: 30, by: 2)))
    /// Frame 10 stands still; then frames 20 to 24.
    public static let stillEdit = edited(
        "still", [(400, 10, 0), (200, 20, 1)], Array(repeating: 10, count: 10) + Array(20..<25))
    /// Frame 7 from its middle on, up to the middle of frame 12; so it changes half a frame early. Then frame 40.
    public static let halfFrameEdits = edited("half", [(200, 7.5, 1), (40, 40, 1)], [7, 8, 9, 10, 11, 40])

    /// Frame 7 from its middle on, up to the middle of frame 12, and nothing else; the second with a wait before it.
    public static let halfFrameEdit = edited("half-only", [(200, 7.5, 1)], Array(7...12))
    public static let lateHalfFrameEdit = edited("half-late", [(120, nil, 1), (200, 7.5, 1)], Array(7...12))

    /// From frame 12 on, for no length: up to the end.
    public static let endlessEdit = edited("endless", [(0, 12, 1)], Array(12..<60))
    /// From the second half of frame 7 on, for longer than there is.
    public static let longHalfFrameEdit = edited("half-long", [(9000, 7.5, 1)], Array(7..<60))

    /// Frames 20 to 29, then 5 to 14 in two chapters, by Matroska's ordered chapters.
    public static let orderedChapters = chaptered(
        "joined", [(20..<30, false), (5..<8, false), (8..<15, false)])
    /// Frames 12 to 29 only.
    public static let oneOrderedChapter = chaptered("one", [(12..<30, false)])
    /// The same, between chapters that show other files.
    public static let chaptersOfOthers = chaptered("others", [(0..<5, true), (12..<30, false), (3..<4, true)])
    /// All frames, in two chapters.
    public static let wholeInChapters = chaptered("whole", [(0..<30, false), (30..<60, false)])

    private static func chaptered(_ name: String, _ chapters: [(frames: Range<Int>, isOfOther: Bool)]) -> Clip {
        let numbers = chapters.filter { !$0.isOfOther }.flatMap(\.frames)
        let facts = ClipFacts.listed(numbers.indices.map { Int64($0) * 40 }, per: 1000, numbers: numbers)
        // The titles of those that are of other files take as many bytes as what will tell so.
        let list = chapters.map { frames, isOfOther in
            "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(frames.lowerBound * 40)\nEND=\(frames.upperBound * 40)\n"
                + "title=\(isOfOther ? "elsewhere" : "here")\n"
        }
        let text = Data((";FFMETADATA1\n" + list.joined()).utf8).base64EncodedString()
        let unordered = Clip(
            "chapters-" + name, "mkv", facts,
            .commands(
                [
                    ["-i", "{clip}", "-f", "ffmetadata", "-i", "data:text/plain;base64," + text, "-map", "0"]
                        + ["-map_chapters", "1", "-c", "copy", "{out}"]
                ], sources: [], clips: [mkv]))
        return Clip("ordered-chapters-" + name, "mkv", facts, .patched(unordered, .orderedChapters))
    }

    /// Frames of ``h264``, presented two later than decoded.
    private static func edited(
        _ name: String, _ edits: [(length: Int, frame: Double?, rate: Double)], _ numbers: [Int]
    ) -> Clip {
        let list = edits.map { ($0.length, $0.frame.map { Int(($0 + 2) * 512) } ?? -1, $0.rate) }
        let facts = ClipFacts.listed(numbers.indices.map { Int64($0) * 512 }, per: 12800, numbers: numbers)
        return Clip("edits-" + name, "mp4", facts, .patched(h264, .edits(list)))
    }

    public static let lateStart = Clip(
        "late-start", "mkv", .steady(per: 1000, from: 10000, step: 40), copying: h264KeyFramesOnly,
        before: ["-itsoffset", "10"])
    public static let lateStartMP4 = Clip(
        "late-start", "mp4", .steady(per: 12800, from: 128000, step: 512), copying: h264, before: ["-itsoffset", "10"])

    /// In a transport stream the first frame comes 1.48 s after zero as ffmpeg writes it; here ten seconds more.
    public static let transportOffset = Clip(
        "h264-late-start", "ts", .steady(per: 90000, from: 1_026_000, step: 3600), copying: h264,
        ["-output_ts_offset", "10"])
    /// The 33-bit clock starts again at zero after a second. libavformat counts from before zero then.
    public static let transportWrap = Clip(
        "h264-clock-wraps", "ts", .steady(per: 90000, from: -97200, step: 3600), copying: h264,
        ["-output_ts_offset", "95441.2376888"])
    public static let hevcInTS = Clip(
        "hevc-open-gop", "ts", .steady(per: 90000, from: 133200, step: 3600), copying: hevcOpenGOP)

    /// Several pictures in a pack, of which only the first that begins there has a time, and packs that begin in the middle
    /// of pictures.
    public static let smallInPS = ["h264", "hevc"].flatMap { codec in
        [true, false].map { reorders in
            Clip(
                "\(codec)-small\(reorders ? "" : "-in-order")", "mpg",
                .steady(per: 90000, from: reorders ? 52200 : 45000, step: 3600), small(codec, reorders))
        }
    }
    /// Transport streams whose first seven pictures have no times.
    public static let untimedStart = [ts, keyFramesInTS, hevcInTS].map {
        Clip($0.name + "-untimed-start", "ts", $0.facts, .patched($0, .withoutTimes(first: 7)))
    }

    private static func small(_ codec: String, _ reorders: Bool) -> [String] {
        let encoder = codec == "hevc" ? "x265" : "x264"
        let parameters = "keyint=12:min-keyint=12:scenecut=0:log-level=none" + (reorders ? "" : ":bframes=0")
        return ["-c:v", "lib" + encoder, "-pix_fmt", "yuv420p", "-crf", "40", "-f", "mpeg"]
            + ["-\(encoder)-params", parameters]
    }

    public static let rawH264 = Clip("h264-raw", "h264", .untimed(60), copying: h264, ["-f", "h264"])
    public static let rawHEVC = Clip(
        "hevc-raw", "hevc", .untimed(60), copying: hevc, ["-bsf:v", "hevc_mp4toannexb", "-f", "hevc"])
    public static let rawMPEG2 = Clip("mpeg2-raw", "m2v", .untimed(60), copying: mpeg2InTS, ["-f", "mpeg2video"])

    public static let audioLonger = Clip(
        "audio-longer", "mp4", .steady(per: 12800, step: 512),
        .commands(
            [
                audio + [
                    "-i", "{clip}", "-map", "1:v", "-map", "0:a", "-c:v", "copy", "-c:a", "aac", "-t", "5", "{out}",
                ]
            ],
            sources: [], clips: [h264]))
    public static let audioEarlier = Clip(
        "audio-earlier", "mkv", .steady(per: 1000, from: 1007, step: 40),
        .commands(
            [
                audio + ["-itsoffset", "1", "-i", "{clip}", "-map", "0:a", "-map", "1:v", "-c:v", "copy"]
                    + ["-c:a", "libopus", "-t", "3.4", "{out}"]
            ], sources: [], clips: [h264KeyFramesOnly]))

    public static let timing: [Clip] =
        [
            variableRateMKV, variableRateMP4, lastDurationMissing, oneFrameASecond, highFrameRate, filmRate,
            broadcastRate,
            broadcastRateMKV, oneFrame, editList, editListOpenGOP, emptyEdit, lateStart, lateStartMP4,
            transportOffset, transportWrap, hevcInTS, rawH264, rawHEVC, rawMPEG2, audioLonger, audioEarlier,
        ] + inAVI
}
