import Foundation

/// A stream in three sizes, the largest first, each with the same numbered frames.
public struct StreamLadder: Sendable {
    /// By name: `master.m3u8`, `large.m3u8`, `large-0.ts`, `large-init.mp4`…
    public private(set) var files: [String: [UInt8]] = [:]
    public static let names = ["large", "middle", "small"]

    /// - Parameter isMP4: Segments of MP4 instead of a transport stream.
    public init(isMP4: Bool) throws {
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

    /// Adds a list of the key frames of the smallest variant, as byte ranges of its segments, and names it in the master.
    ///
    /// - Returns: The number and the size in bytes of each.
    public mutating func addKeyFrames() throws -> [(number: Int, size: Int)] {
        var lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:1", "#EXT-X-I-FRAMES-ONLY"]
        var entries: [(number: Int, size: Int)] = []
        for index in 0..<4 {
            let name = "small-\(index).ts"
            let bytes = files[name] ?? []
            let listing = try ProcessRunner.run(
                "ffprobe",
                ["-v", "error", "-f", "mpegts", "-show_entries", "packet=pos,flags", "-of", "csv=p=0", "-"],
                input: bytes
            ).output
            let packets = listing.split(separator: "\n").map { $0.split(separator: ",") }
            for (number, packet) in packets.enumerated() where packet[1].hasPrefix("K") {
                let start = Int(packet[0]) ?? 0
                let end = number + 1 < packets.count ? Int(packets[number + 1][0]) ?? bytes.count : bytes.count
                lines += ["#EXTINF:1.0,", "#EXT-X-BYTERANGE:\(end - start)@\(start)", name]
                entries.append((25 * entries.count, end - start))
            }
        }
        files["keys.m3u8"] = Array((lines + ["#EXT-X-ENDLIST"]).joined(separator: "\n").utf8)
        let line =
            "\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=50000,RESOLUTION=192x108,CODECS=\"avc1.64000c\",URI=\"keys.m3u8\""
        files["master.m3u8"]! += Array(line.utf8)
        return entries
    }

    private static let variants: [(Clip, String, Int)] = [
        (.streamedLarge, "640x360", 400_000), (.streamedMiddle, "384x216", 200_000), (.streamed, "192x108", 100_000),
    ]

    /// For a server, under `/`.
    public var resources: [String: LoopbackResource] {
        Dictionary(uniqueKeysWithValues: files.map { ("/" + $0, LoopbackResource($1)) })
    }
}
