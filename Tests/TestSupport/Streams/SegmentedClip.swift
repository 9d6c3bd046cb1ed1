import Foundation
import SnapBase
import Synchronization

/// A clip that the ffmpeg command cut into segments, with what `ffprobe` finds in each.
struct SegmentedClip: Sendable {
    enum Container: String, Sendable, CaseIterable {
        case transportStream = "ts"
        case fragmentedMP4 = "fmp4"
    }

    /// A frame as it is stored, in decoding order.
    struct Packet: Sendable, Equatable {
        /// In ticks, wraps undone.
        var presentation: Int64
        var isKey: Bool
    }

    struct Segment: Sendable {
        var bytes: [UInt8]
        var packets: [Packet]
        /// As the muxer reckons it.
        var duration: MediaTime
    }

    var initialization: [UInt8]?
    var segments: [Segment]
    var ticksPerSecond: Int64

    /// - Parameters:
    ///   - clip: An MP4 file with video, and sound too.
    ///   - seconds: The length to cut at.
    ///   - arguments: Further ones for ffmpeg's muxer.
    static func cut(
        _ clip: Clip, _ container: Container, withSound: Bool, seconds: String, _ arguments: [String] = []
    ) throws -> SegmentedClip {
        let words = [container.rawValue, withSound ? "av" : "v", seconds] + arguments
        let key = words.joined(separator: "_").replacingOccurrences(of: "/", with: "-")
        let source = try clip.path()
        let folder = try ClipCache.file("segments-\((source as NSString).lastPathComponent)-\(key)") { work in
            let out = work + "/out"
            try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
            let kind = container == .transportStream ? "mpegts" : "fmp4"
            let pattern = container == .transportStream ? "%03d.ts" : "%03d.m4s"
            let result = try ProcessRunner.run(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-y", "-i", source, "-map", "0:v"]
                    + (withSound ? ["-map", "0:a"] : []) + ["-c", "copy", "-muxdelay", "0", "-muxpreload", "0"]
                    + arguments + ["-f", "hls", "-hls_time", seconds, "-hls_list_size", "0", "-hls_segment_type", kind]
                    + ["-hls_segment_filename", pattern, "-hls_playlist_type", "vod", "list.m3u8"],
                in: out, limit: 120)
            guard result.exitCode == 0 else { throw ProcessError("segments of \(clip.name): \(result.messages)") }
            return out
        }
        return try known(folder) { try SegmentedClip(folder: folder, container) }
    }

    /// What was read before, by path: each takes a process for every segment.
    private static let clips = Mutex<[String: SegmentedClip]>([:])

    private static func known(_ path: String, _ read: () throws -> SegmentedClip) throws -> SegmentedClip {
        if let known = clips.withLock({ $0[path] }) { return known }
        let clip = try read()
        clips.withLock { $0[path] = clip }
        return clip
    }

    /// Cuts into fragments of an MP4 file, wherever key frames are. ffmpeg's muxer for streams gives the first frame of
    /// such a segment a wrong time, as it does with frames at uneven distances; the one for files doesn't.
    ///
    /// - Parameter seconds: The length to cut at; `nil` for every key frame.
    static func fragments(of clip: Clip, withSound: Bool, seconds: Double?) throws -> SegmentedClip {
        let source = try clip.path()
        let cut = seconds.map { "\($0)" } ?? "keys"
        let name = "fragments-\((source as NSString).lastPathComponent)-\(withSound ? "av" : "v")-\(cut).mp4"
        let path = try ClipCache.file(name) { work in
            let out = work + "/out.mp4"
            let result = try ProcessRunner.run(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-y", "-i", source, "-map", "0:v"]
                    + (withSound ? ["-map", "0:a"] : []) + [
                        "-c", "copy", "-movflags",
                        "empty_moov+default_base_moof" + (seconds == nil ? "+frag_keyframe" : ""),
                    ]
                    + (seconds.map { ["-frag_duration", String(Int($0 * 1_000_000))] } ?? []) + [out])
            guard result.exitCode == 0 else { throw ProcessError("fragments of \(clip.name): \(result.messages)") }
            return out
        }
        return try known(path) { try fragments(in: path) }
    }

    private static func fragments(in path: String) throws -> SegmentedClip {
        let boxes = try ISOBox.parse(bytes(path)[...])
        var made = SegmentedClip(initialization: [], segments: [], ticksPerSecond: 0)
        for box in boxes where box.type != "mfra" {
            if box.type == "moof" {
                made.segments.append(Segment(bytes: box.bytes, packets: [], duration: .zero))
            } else if made.segments.isEmpty {
                made.initialization! += box.bytes
            } else {
                made.segments[made.segments.count - 1].bytes += box.bytes
            }
        }
        for index in made.segments.indices {
            (made.segments[index].packets, made.ticksPerSecond) = try packets(
                of: made.initialization! + made.segments[index].bytes, .fragmentedMP4)
        }
        made.setDurations()
        return made
    }

    /// From the first packet of each segment to that of the next.
    private mutating func setDurations() {
        let starts = segments.map { $0.packets[0].presentation }
        let last = segments.flatMap(\.packets).map(\.presentation).max()! + ticksPerSecond / 25
        for (index, end) in (starts.dropFirst() + [last]).enumerated() {
            segments[index].duration = MediaTime(end - starts[index], over: ticksPerSecond)!
        }
    }

    private init(initialization: [UInt8]?, segments: [Segment], ticksPerSecond: Int64) {
        (self.initialization, self.segments, self.ticksPerSecond) = (initialization, segments, ticksPerSecond)
    }

    private init(folder: String, _ container: Container) throws {
        let text = try String(contentsOfFile: folder + "/list.m3u8", encoding: .utf8)
        let lines = text.split(separator: "\n").map(String.init)
        initialization = container == .fragmentedMP4 ? try Self.bytes(folder + "/init.mp4") : nil
        (segments, ticksPerSecond) = ([], 0)
        var duration = MediaTime.zero
        for line in lines {
            if let rest = line.dropping("#EXTINF:") {
                let number = rest.prefix { $0 != "," }
                let parts = number.split(separator: ".")
                duration = MediaTime(Int64(parts[0] + parts[1])!, over: Int64(pow(10, Double(parts[1].count))))!
            } else if !line.hasPrefix("#") {
                let bytes = try Self.bytes(folder + "/" + line)
                let (packets, ticks) = try Self.packets(of: (initialization ?? []) + bytes, container)
                ticksPerSecond = ticks
                segments.append(Segment(bytes: bytes, packets: packets, duration: duration))
            }
        }
        unwrap()
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private static func packets(of bytes: [UInt8], _ container: Container) throws -> ([Packet], Int64) {
        let format = container == .transportStream ? "mpegts" : "mov"
        let result = try ProcessRunner.run(
            "ffprobe",
            [
                "-v", "error", "-f", format, "-select_streams", "v:0", "-show_entries",
                "packet=pts,flags:stream=time_base", "-of", "json", "-",
            ], input: bytes)
        struct Listing: Decodable {
            struct Packet: Decodable {
                let pts: Int64?
                let flags: String
            }
            struct Stream: Decodable { let time_base: String }
            let packets: [Packet]
            let streams: [Stream]
        }
        let listing = try JSONDecoder().decode(Listing.self, from: Data(result.standardOutput))
        let ticks = listing.streams.first.flatMap { Int64($0.time_base.dropFirst(2)) } ?? 0
        let packets = listing.packets.compactMap { packet in
            packet.pts.map { Packet(presentation: $0, isKey: packet.flags.hasPrefix("K")) }
        }
        return (packets, ticks)
    }

    /// Puts all times on one line, where the 33-bit clock of a transport stream begins anew.
    private mutating func unwrap() {
        guard ticksPerSecond == 90_000 else { return }
        let turn: Int64 = 1 << 33
        var last = segments.first?.packets.first?.presentation ?? 0
        for index in segments.indices {
            for packet in segments[index].packets.indices {
                var time = segments[index].packets[packet].presentation
                while time < last - turn / 2 { time += turn }
                while time > last + turn / 2 { time -= turn }
                segments[index].packets[packet].presentation = time
                last = time
            }
        }
    }
}

extension String {
    fileprivate func dropping(_ prefix: String) -> Substring? { hasPrefix(prefix) ? dropFirst(prefix.count) : nil }
}
