import Foundation

/// A stream in three sizes, the largest first, each with the same numbered frames.
public struct StreamLadder: Sendable {
    /// By name: `master.m3u8`, `large.m3u8`, `large-0.ts`, `large-init.mp4`…
    public private(set) var files: [String: [UInt8]] = [:]
    private let isMP4: Bool
    public static let names = ["large", "middle", "small"]

    /// - Parameter isMP4: Segments of MP4 instead of a transport stream.
    public init(isMP4: Bool) throws {
        self.isMP4 = isMP4
        var master = ["#EXTM3U"]
        for (name, (clip, size, bits)) in zip(Self.names, Self.variants) {
            let cut = try SegmentedClip.cut(
                clip, isMP4 ? .fragmentedMP4 : .transportStream, withSound: false, seconds: "2")
            var lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:2"]
            if let map = cut.initialization {
                files["\(name)-init.mp4"] = map
                lines.append("#EXT-X-MAP:URI=\"\(name)-init.mp4\"")
            }
            for (index, segment) in cut.segments.enumerated() {
                let file = "\(name)-\(index).\(isMP4 ? "m4s" : "ts")"
                files[file] = segment.bytes
                lines += ["#EXTINF:\(segment.duration.sixPlaces),", file]
            }
            lines.append("#EXT-X-ENDLIST")
            files["\(name).m3u8"] = Array(lines.joined(separator: "\n").utf8)
            let bytes = cut.segments.reduce(0) { $0 + $1.bytes.count }
            master += [
                "#EXT-X-STREAM-INF:BANDWIDTH=\(max(bits, bytes)),RESOLUTION=\(size),CODECS=\"avc1.64000c\"",
                "\(name).m3u8",
            ]
        }
        files["master.m3u8"] = Array(master.joined(separator: "\n").utf8)
    }

    /// Adds a list of the key frames of the smallest variant, as byte ranges, and names it in the master.
    ///
    /// - Parameter hasMap: Whether the list says where the program tables of a transport stream are. MP4 always does.
    /// - Returns: The number and the size in bytes of each.
    public mutating func addKeyFrames(hasMap: Bool = false) throws -> [(number: Int, size: Int)] {
        var lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:1", "#EXT-X-I-FRAMES-ONLY"]
        var entries: [(number: Int, size: Int)] = []
        func add(_ range: Range<Int>, of name: String) {
            lines += ["#EXTINF:1.0,", "#EXT-X-BYTERANGE:\(range.count)@\(range.lowerBound)", name]
            entries.append((25 * entries.count, range.count))
        }
        if isMP4 {
            // A group of pictures in each fragment, of which the entry is the head and the first picture.
            let cut = try SegmentedClip.cut(.streamed, .fragmentedMP4, withSound: false, seconds: "1")
            files["keys.mp4"] = (cut.initialization ?? []) + cut.segments.flatMap(\.bytes)
            lines.append("#EXT-X-MAP:URI=\"keys.mp4\",BYTERANGE=\"\(cut.initialization?.count ?? 0)@0\"")
            var start = cut.initialization?.count ?? 0
            for segment in cut.segments {
                let (_, end) = try Self.keyFrames(in: (cut.initialization ?? []) + segment.bytes, "mov")[0]
                add(start..<start + end - (cut.initialization?.count ?? 0), of: "keys.mp4")
                start += segment.bytes.count
            }
        } else {
            // The tables, behind a packet that describes the service.
            if hasMap { lines.append("#EXT-X-MAP:URI=\"small-0.ts\",BYTERANGE=\"564@0\"") }
            for index in 0..<4 {
                let name = "small-\(index).ts"
                for (start, end) in try Self.keyFrames(in: files[name] ?? [], "mpegts") { add(start..<end, of: name) }
            }
        }
        files["keys.m3u8"] = Array((lines + ["#EXT-X-ENDLIST"]).joined(separator: "\n").utf8)
        let line =
            "\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=50000,RESOLUTION=192x108,CODECS=\"avc1.64000c\",URI=\"keys.m3u8\""
        files["master.m3u8"]! += Array(line.utf8)
        return entries
    }

    /// Where key frames begin and end in a file with nothing but video.
    private static func keyFrames(in bytes: [UInt8], _ format: String) throws -> [(start: Int, end: Int)] {
        let listing = try ProcessRunner.run(
            "ffprobe",
            ["-v", "error", "-f", format, "-show_entries", "packet=pos,size,flags", "-of", "csv=p=0", "-"], input: bytes
        ).output
        let packets = listing.split(separator: "\n").map { $0.split(separator: ",") }
        let positions = packets.map { Int($0[1]) ?? 0 }
        return packets.indices.filter { packets[$0][2].hasPrefix("K") }.map { index in
            let next = index + 1 < positions.count ? positions[index + 1] : bytes.count
            return (positions[index], format == "mov" ? positions[index] + (Int(packets[index][0]) ?? 0) : next)
        }
    }

    private static let variants: [(Clip, String, Int)] = [
        (.streamedLarge, "640x360", 400_000), (.streamedMiddle, "384x216", 200_000), (.streamed, "192x108", 100_000),
    ]

    /// For a server, under `/`.
    public var resources: [String: LoopbackResource] {
        Dictionary(uniqueKeysWithValues: files.map { ("/" + $0, LoopbackResource($1)) })
    }
}
