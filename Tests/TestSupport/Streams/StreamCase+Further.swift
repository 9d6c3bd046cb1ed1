public import SnapBase

/// Streams beside the matrix: other codecs, names, keys and headers.
extension StreamCase {
    public struct Further: Sendable, CustomStringConvertible {
        public let description: String
        /// The same content in one file, where it is from one.
        public let clip: Clip?
        public let make: @Sendable () throws -> StreamCase
        /// Whether names in it mean something else to a server.
        public var isForFolderOnly = false

        /// Where pictures are as everywhere and only what is around them differs, a few times are enough.
        public func questions(of stream: StreamCase) -> [MediaTime] {
            let all = stream.questions
            return clip?.name == Clip.streamed.name
                ? all.enumerated().filter { $0.offset % 5 == 0 }.map(\.element) : all
        }
    }

    public static let further: [Further] = codecs + headers + names + rotatedKeys + [definitions, newSize]

    /// - Parameter prepare: Changes how the stream is written.
    private static func further(
        _ name: String, _ clip: Clip = .streamed, _ container: SegmentedClip.Container = .transportStream,
        withSound: Bool = true, isForFolderOnly: Bool = false,
        _ prepare: @escaping @Sendable (inout StreamBuilder) throws -> Void = { _ in }
    ) -> Further {
        let name = "\(container.rawValue) \(name)"
        let make: @Sendable () throws -> StreamCase = {
            var builder = StreamBuilder(name)
            try prepare(&builder)
            let cut = try SegmentedClip.cut(clip, container, withSound: withSound, seconds: "2")
            try builder.add(cut, first: 0, isNewDomain: false)
            return builder.finished()
        }
        return Further(description: name, clip: clip, make: make, isForFolderOnly: isForFolderOnly)
    }

    // MARK: Codecs

    private static let codecs: [Further] =
        [
            ("hevc", Clip.streamedHEVC), ("hevc-open-gop", Clip.streamedHEVCOpenGOP),
            ("av1-svt", Clip.streamedAV1), ("av1-aom", Clip.streamedAV1Slowly),
        ].flatMap { name, clip in
            [StreamBuilder.Layout.plain, .byteRange, .encrypted].map { layout in
                further("\(name) \(layout.rawValue)", clip, .fragmentedMP4, withSound: false) { $0.layout = layout }
            }
        } + [
            further("hevc", .streamedHEVC, withSound: false),
            further("hevc-open-gop", .streamedHEVCOpenGOP, withSound: false),
        ]

    // MARK: What stands before the first packet

    /// Whole pictures: their bytes hold many that look like the start of a packet.
    private static let headers: [Further] = ["png", "jpg"].flatMap { kind in
        StreamBuilder.Layout.allCases.map { layout in
            further("behind-\(kind) \(layout.rawValue)") { builder in
                builder.layout = layout
                builder.prefix = try ProcessRunner.run(
                    "ffmpeg",
                    ["-nostdin", "-v", "error", "-i", try Clip.streamed.path(), "-frames:v", "1", "-f", "image2pipe"]
                        + [
                            "-c:v", kind == "png" ? "png" : "mjpeg", "-pix_fmt", kind == "png" ? "rgb24" : "yuvj420p",
                            "-",
                        ]
                ).standardOutput
            }
        }
    }

    // MARK: Names

    private static let names: [Further] = SegmentedClip.Container.allCases.flatMap { container in
        [
            named("no-extension", container) { ("seg-\($0)", "seg-\($0)") },
            named("named-as-pictures", container) { ("seg\($0).jpg", "seg\($0).jpg") },
            named("named-as-playlists", container) { ("seg\($0).m3u8", "seg\($0).m3u8") },
            named("queries", container) { ("a\($0)", "a\($0)?b=.mp4&x=1") },
            named("question-marks", container, isForFolderOnly: true) { ("a?b=\($0).mp4&x=1", "a?b=\($0).mp4&x=1") },
            named("spaces", container) { ("my seg \($0).ts", "my seg \($0).ts") },
            named("escapes", container) { ("süß #\($0)?.ts", "s%C3%BC%C3%9F%20%23\($0)%3F.ts") },
            named("letters", container) { ("süß\($0).ts", "süß\($0).ts") },
        ]
    }

    private static func named(
        _ name: String, _ container: SegmentedClip.Container, isForFolderOnly: Bool = false,
        _ naming: @escaping @Sendable (Int) -> (file: String, reference: String)
    ) -> Further {
        further(name, .streamed, container, isForFolderOnly: isForFolderOnly) { $0.naming = naming }
    }

    // MARK: Keys

    /// A new key in mid-stream; numbers that pass two bytes.
    private static let rotatedKeys: [Further] = SegmentedClip.Container.allCases.flatMap { container in
        [false, true].map { hasVector in
            further("new-key \(hasVector ? "iv" : "numbers")", .streamed, container) {
                $0.layout = .encrypted
                $0.explicitVector = hasVector
                $0.rotation = 2
                $0.firstSequence = 65_534
            }
        }
    }

    // MARK: Variables

    /// Names put together of what the list of variants and the playlist define.
    private static let definitions: Further = {
        let make: @Sendable () throws -> StreamCase = {
            var builder = StreamBuilder("definitions")
            builder.naming = { ("part-\($0).bin", "{$kind}-\($0){$tail}") }
            builder.head = [#"#EXT-X-DEFINE:NAME="kind",VALUE="part""#, #"#EXT-X-DEFINE:IMPORT="tail""#]
            let cut = try SegmentedClip.cut(.streamed, .transportStream, withSound: true, seconds: "2")
            try builder.add(cut, first: 0, isNewDomain: false)
            var stream = builder.finished()
            stream.entry = "master.m3u8"
            stream.files["master.m3u8"] = Array(
                """
                #EXTM3U
                #EXT-X-DEFINE:NAME="tail",VALUE=".bin"
                #EXT-X-DEFINE:NAME="where",VALUE="list"
                #EXT-X-STREAM-INF:BANDWIDTH=200000
                {$where}.m3u8
                """.utf8)
            return stream
        }
        return Further(description: "ts definitions", clip: .streamed, make: make)
    }()

    // MARK: Sizes

    /// Another size from one segment to the next, and nothing in the playlist says so.
    private static let newSize: Further = {
        let make: @Sendable () throws -> StreamCase = {
            var builder = StreamBuilder("new-size")
            let first = try SegmentedClip.cut(.streamed, .transportStream, withSound: false, seconds: "2")
            // The first clip's frames come 0.08 s late, so that no decoding time is negative.
            let second = try SegmentedClip.cut(
                .streamedSecond, .transportStream, withSound: false, seconds: "2", ["-output_ts_offset", "8.08"])
            try builder.add(first, first: 0, isNewDomain: false)
            try builder.add(second, first: 200, isNewDomain: false)
            return builder.finished()
        }
        return Further(description: "ts new-size", clip: nil, make: make)
    }()
}

extension Clip {
    private static func streamed(_ name: String, _ arguments: [String]) -> Clip {
        Clip(name, "mp4", .steady(200, per: 12800, step: 512), from: FrameSource(count: 200), arguments)
    }

    static let streamedHEVC = streamed(
        "streamed-hevc", x265("keyint=25:min-keyint=25:open-gop=0") + ["-tag:v", "hvc1"])
    static let streamedHEVCOpenGOP = streamed(
        "streamed-hevc-open-gop", x265("keyint=25:min-keyint=25:open-gop=1") + ["-tag:v", "hvc1"])
    static let streamedAV1 = streamed(
        "streamed-av1", ["-c:v", "libsvtav1", "-preset", "10", "-g", "25", "-crf", "35", "-pix_fmt", "yuv420p"])
    static let streamedAV1Slowly = streamed(
        "streamed-av1-aom",
        ["-c:v", "libaom-av1", "-cpu-used", "8", "-g", "25", "-crf", "35", "-b:v", "0", "-pix_fmt", "yuv420p"])
}
