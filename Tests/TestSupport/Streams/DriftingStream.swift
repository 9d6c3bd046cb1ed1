import Foundation
public import SnapBase

/// A thousand segments of a second, with two numbered frames each, whose declared durations are whatever a test wants.
public struct DriftingStream: Sendable {
    public static let count = 1000
    private let folder: String
    private let list: [UInt8]

    /// - Parameter duration: What the playlist declares for a segment, by its index.
    public init(_ duration: (Int) -> MediaTime) throws {
        folder = try Self.segments()
        var lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:1"]
        for index in 0..<Self.count { lines += ["#EXTINF:\(duration(index).sixPlaces),", "\(index).ts"] }
        list = Array((lines + ["#EXT-X-ENDLIST"]).joined(separator: "\n").utf8)
    }

    /// The number of the frame on screen, by the timestamps in the segments.
    public static func number(at time: MediaTime) -> Int {
        min(Int(time.scaled(by: 2, over: 1).wholeSeconds), 2 * count - 1)
    }

    /// Serves the playlist as `/list.m3u8`.
    public func server() throws -> LoopbackServer {
        try LoopbackServer { [folder, list] path in
            if path == "/list.m3u8" { return LoopbackResource(list) }
            return (try? Data(contentsOf: URL(fileURLWithPath: folder + path))).map { LoopbackResource(Array($0)) }
        }
    }

    private static func segments() throws -> String {
        let source = FrameSource(width: 64, height: 36, count: 2 * count, rate: "2")
        return try ClipCache.file("a-thousand-segments") { work in
            let out = work + "/out"
            try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
            let result = try ProcessRunner.run(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-y"] + source.arguments() + Clip.x264("keyint=2:min-keyint=2:bframes=0")
                    + ["-f", "hls", "-hls_time", "1", "-hls_list_size", "0", "-hls_playlist_type", "vod"]
                    + ["-hls_segment_filename", "%d.ts", "list.m3u8"],
                in: out, limit: 120)
            guard result.exitCode == 0 else { throw ProcessError("a thousand segments: \(result.messages)") }
            return out
        }
    }
}
