/// Files that are damaged, that are not video, or that mean harm.
extension Clip {
    /// Cut short after some thousandths of their bytes, with the `moov` first so that there is something to show.
    /// What can be read has the numbers of ``moovFirst``, in the same places.
    public static func truncated(_ clip: Clip = moovFirst, toThousandths part: Int) -> Clip {
        Clip(
            "truncated-\(clip.name)-\(part)", clip.fileExtension, clip.facts,
            .patched(clip, .truncate(toThousandths: part)))
    }

    /// Bits turned over anywhere. A frame that is read must still be the right one or be reported as damaged.
    public static func bitFlipped(_ clip: Clip = moovFirst, count: Int = 20, seed: UInt64) -> Clip {
        Clip(
            "flipped-\(clip.name)-\(count)-\(seed)", clip.fileExtension, clip.facts,
            .patched(clip, .flipBits(count, seed: seed)))
    }

    public static let truncated: [Clip] = [1, 10, 50, 100, 300, 500, 700, 900, 990, 999].map {
        truncated(toThousandths: $0)
    }
    public static let truncatedOthers: [Clip] = [moovLast, vp9, mpeg2InTS, h264InFLV, mpeg4InAVI, ffv1].flatMap {
        clip in
        [20, 500, 950].map { truncated(clip, toThousandths: $0) }
    }
    public static let bitFlipped: [Clip] =
        (1...10).map { bitFlipped(seed: $0) }
        + [vp9, hevc, av1, mpeg2InTS, mpeg4InAVI, mjpegInAVI, theora, prores, ffv1].flatMap { clip in
            (1...2).map { bitFlipped(clip, seed: $0) }
        }

    /// Every sample is called a key frame, for the table that says which are is missing.
    public static func withoutKeyTable(_ clip: Clip) -> Clip {
        Clip(
            "without-key-table-\(clip.name)", clip.fileExtension, clip.facts,
            .patched(
                clip,
                .replaceAll(Array("stss".utf8), name: "no stss") { bytes, i in
                    bytes.replaceSubrange(i..<i + 4, with: Array("free".utf8))
                }))
    }

    /// Predicted pictures claim to be points of recovery, so that the container calls them key frames: 30, 42 and 43.
    /// H.264's decoder believes it, and fills what they are predicted from with grey.
    public static let falseKeys = Clip(
        "false-keys", "mp4", .steady(per: 12800, step: 512),
        copying: Clip(
            "false-keys", "h264", .untimed(60),
            .patched(
                Clip("one-reference", "h264", .untimed(60), x264("bframes=0:keyint=24:ref=1")),
                .claimRecovery(atPictures: [30, 42, 43]))))

    /// A clip without one of its packets, counted from 0 in the order of decoding.
    public static func withoutPacket(_ number: Int, _ clip: Clip) -> Clip {
        Clip(
            "without-packet-\(number)-\(clip.name)", clip.fileExtension, clip.facts, copying: clip,
            ["-bsf:v", "noise=drop=eq(n\\,\(number))"])
    }

    /// So many packets of a clip, in the order of decoding.
    public static func firstPackets(_ count: Int, _ clip: Clip) -> Clip {
        Clip(
            "first-\(count)-packets-\(clip.name)", clip.fileExtension, clip.facts, copying: clip,
            ["-bsf:v", "noise=drop=gte(n\\,\(count))"])
    }

    /// The numbered frames, and beside them as much of exactly what decoders put in the place of a missing reference,
    /// with key frames that a decoder has to be told to believe.
    public static let reallyGrey = Clip(
        "really-grey", "mp4", ClipFacts.steady(per: 12800, step: 512).sized(384, 108),
        [
            "-vf",
            "pad=384:108,format=yuv420p,geq=lum='if(lt(X,192),lum(X,Y),128)'"
                + ":cb='if(lt(X,192/2),cb(X,Y),128)':cr='if(lt(X,192/2),cr(X,Y),128)'",
        ] + x264("open-gop=1"))

    // Nothing to be seen.

    public static let audioOnly = Clip(
        "audio-only", "m4a", .nothing,
        .commands([["-f", "lavfi", "-i", "sine=440", "-t", "1", "-c:a", "aac", "{out}"]], sources: [], clips: []))
    /// The only picture is the cover.
    public static let audioWithCover = Clip(
        "audio-with-cover", "m4a", .nothing,
        .commands(
            [
                ["-f", "lavfi", "-i", "color=red:s=300x300", "-frames:v", "1", "{work}/cover.png"],
                ["-i", "{clip}", "-i", "{work}/cover.png", "-map", "0", "-map", "1", "-c", "copy"]
                    + ["-disposition:v:0", "attached_pic", "{out}"],
            ], sources: [], clips: [audioOnly]))
    public static let empty = Clip("empty", "mp4", .nothing, .bytes([]))
    public static let text = Clip(
        "text", "mp4", .nothing, .bytes(Array("This is a letter, not a film.\n".utf8)))
    public static let noise = Clip(
        "noise", "mp4", .nothing,
        .bytes(
            {
                var random = SeededRandom(seed: 1)
                return (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }
            }()))
    /// A `moov` without a single frame.
    public static let noFrames = Clip(
        "no-frames", "mp4", .nothing,
        .commands([["{source}"] + x264 + ["-frames:v", "0", "{out}"]], sources: [FrameSource(count: 1)], clips: []))
    public static let encrypted = Clip(
        "encrypted-cenc", "mp4", .nothing, copying: h264,
        [
            "-encryption_scheme", "cenc-aes-ctr", "-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb",
            "-encryption_kid", "a7e61c373e219033c21091fa607bf3b8",
        ])
    /// A codec that nobody has: the sample entry `zzzz`.
    public static let unknownCodec = Clip(
        "unknown-codec", "mp4", .nothing,
        .patched(
            h264,
            .replaceAll(Array("avc1".utf8), name: "zzzz") { bytes, i in
                bytes.replaceSubrange(i..<i + 4, with: Array("zzzz".utf8))
            }))
    /// Headers that claim 60000 × 60000 pixels for a few bytes.
    public static let absurdSize = Clip(
        "claims-60000x60000", "avi", .nothing, .patched(mjpegInAVI, .jpegSize(60000, 60000)))
    /// Just small enough for FFmpeg's own check.
    public static let hugeSize = Clip(
        "claims-16000x16000", "avi", .nothing, .patched(mjpegInAVI, .jpegSize(16000, 16000)))

    public static let unplayable: [Clip] = [
        audioOnly, audioWithCover, empty, text, noise, noFrames, encrypted, unknownCodec, absurdSize, hugeSize,
    ]

    // Files that name other files. None of those may be opened.

    /// The frames are said to lie in the file that `path` names, by a `url ` data reference.
    public static func externalURL(_ path: String) -> Clip {
        Clip("external-url", "mp4", .nothing, .patched(h264, .dataReference("url ", Array(path.utf8) + [0])))
    }

    /// The same by an alias record, which libavformat would follow.
    public static func externalAlias(_ path: String) -> Clip {
        Clip("external-alias", "mov", .nothing, .patched(mov, .aliasReference(to: path)))
    }

    /// A script of FFmpeg's concat demuxer, named as a video.
    public static func concatScript(of path: String) -> Clip {
        Clip("concat-script", "mp4", .nothing, .bytes(Array("ffconcat version 1.0\nfile '\(path)'\n".utf8)))
    }

    /// An HLS playlist, named as a video.
    public static func disguisedPlaylist(of path: String) -> Clip {
        let lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:3", "#EXTINF:2.4,", path, "#EXT-X-ENDLIST", ""]
        return Clip("disguised-playlist", "mp4", .nothing, .bytes(Array(lines.joined(separator: "\n").utf8)))
    }

    /// A DASH manifest, named as a video.
    public static func disguisedManifest(of path: String) -> Clip {
        let text = """
            <?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" \
            mediaPresentationDuration="PT2.4S"><Period><AdaptationSet contentType="video"><Representation id="1" \
            mimeType="video/mp4" bandwidth="1000"><BaseURL>\(path)</BaseURL><SegmentBase/></Representation>\
            </AdaptationSet></Period></MPD>
            """
        return Clip("disguised-manifest", "mp4", .nothing, .bytes(Array(text.utf8)))
    }
}
