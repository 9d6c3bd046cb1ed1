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

    private static let variants: [(Clip, String, Int)] = [
        (.streamedLarge, "640x360", 400_000), (.streamedMiddle, "384x216", 200_000), (.streamed, "192x108", 100_000),
    ]

    /// For a server, under `/`.
    public var resources: [String: LoopbackResource] {
        Dictionary(uniqueKeysWithValues: files.map { ("/" + $0, LoopbackResource($1)) })
    }
}
