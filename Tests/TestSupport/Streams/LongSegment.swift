import Foundation

/// A stream of one segment of eight seconds, and how much of it each frame needs.
public struct LongSegment: Sendable {
    public let segment: [UInt8]
    private let initialization: [UInt8]?
    private let packets: [Packet]

    private struct Packet: Sendable {
        var presentation: Int64
        var decoding: Int64
        /// Of its last byte, from the start of the segment.
        var end: Int
    }

    /// - Parameters:
    ///   - isMP4: An MP4 fragment instead of a transport stream.
    ///   - isLarge: Of about 2 MB instead of 80 KB.
    public init(isMP4: Bool, isLarge: Bool) throws {
        let cut = try SegmentedClip.cut(
            isLarge ? .streamedRichly : .streamed, isMP4 ? .fragmentedMP4 : .transportStream, withSound: false,
            seconds: "8")
        segment = cut.segments[0].bytes
        initialization = cut.initialization
        let head = cut.initialization?.count ?? 0
        let listing = try ProcessRunner.run(
            "ffprobe",
            ["-v", "error", "-f", isMP4 ? "mov" : "mpegts", "-show_entries", "packet=pts,dts,size,pos"]
                + ["-of", "csv=p=0", "-"], input: (cut.initialization ?? []) + segment
        ).output
        let rows = listing.split(separator: "\n").map { $0.split(separator: ",").map { Int64($0) ?? 0 } }
        let whole = segment.count
        packets = rows.indices.map { index in
            // In a transport stream, a picture is over where the next one begins.
            let next = index + 1 < rows.count ? Int(rows[index + 1][3]) : whole
            let end = isMP4 ? Int(rows[index][3] + rows[index][2]) - head : next
            return Packet(presentation: rows[index][0], decoding: rows[index][1], end: end)
        }
    }

    /// How many bytes from its start hold what the frame of a number needs: all packets up to the first that is decoded
    /// later than the frame is shown, for only that one says that no other frame comes between.
    public func bytesNeeded(forFrame number: Int) -> Int {
        let time = packets.map(\.presentation).sorted()[number]
        return packets.first { $0.decoding > time }?.end ?? segment.count
    }

    /// Serves it as `/master.m3u8`.
    ///
    /// - Parameter bandwidth: What is announced, of 100 that would be right; `nil` for no list of variants, which is
    ///   where it is announced.
    public func server(bandwidth: Int?) throws -> LoopbackServer {
        let list = """
            #EXTM3U
            #EXT-X-TARGETDURATION:8
            \(initialization == nil ? "" : "#EXT-X-MAP:URI=\"init.mp4\"")
            #EXTINF:8,
            segment
            #EXT-X-ENDLIST
            """
        let master = """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=\(segment.count * (bandwidth ?? 100) / 100)
            list.m3u8
            """
        return try LoopbackServer([
            "/master.m3u8": LoopbackResource(Array((bandwidth == nil ? list : master).utf8)),
            "/list.m3u8": LoopbackResource(Array(list.utf8)),
            "/init.mp4": LoopbackResource(initialization ?? []), "/segment": LoopbackResource(segment),
        ])
    }
}

extension Clip {
    static let streamedRichly = Clip(
        "streamed-richly", "mp4", .steady(200, per: 12800, step: 512),
        from: FrameSource(width: 640, height: 360, count: 200),
        x264("keyint=50:min-keyint=50") + ["-b:v", "2000k", "-maxrate", "2000k", "-bufsize", "4000k"])
}
