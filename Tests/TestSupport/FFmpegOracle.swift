import Foundation
public import SnapBase

/// What the ffmpeg command makes of a file: the reference for files that nobody here made.
public enum FFmpegOracle {
    /// A frame as `ffprobe` lists it, in presentation order.
    public struct Frame: Sendable, Equatable {
        /// In ``Stream/timeBase``; `nil` when the file has none.
        public let ticks: Int64?
        public let isKey: Bool
        public let width: Int
        public let height: Int
        public let isInterlaced: Bool
    }

    /// The first video stream that is no cover picture.
    public struct Stream: Sendable {
        /// Its number in the file.
        public let index: Int
        public let timeBase: TimeBase
        public let codec: String
        public let pixelFormat: String
        /// Width and height of a pixel, or `nil` when the file says nothing.
        public let sampleAspectRatio: (width: Int, height: Int)?
        public let frames: [Frame]
    }

    /// Lists every frame of the video stream by decoding the file once.
    ///
    /// - Returns: `nil` when there is no video stream, or `ffprobe` can't open the file.
    public static func stream(of path: String) throws -> Stream? {
        let entries =
            "frame=stream_index,key_frame,best_effort_timestamp,width,height,interlaced_frame"
            + ":stream=index,time_base,codec_name,pix_fmt,sample_aspect_ratio:stream_disposition=attached_pic"
        let result = try ProcessRunner.run(
            "ffprobe",
            [
                "-v", "error", "-flags", "unaligned", "-select_streams", "V:0", "-show_entries", entries, "-of", "json",
                path,
            ])
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let listing = try? decoder.decode(Listing.self, from: Data(result.standardOutput)) else {
            return nil
        }
        guard let stream = listing.streams?.first, let base = fraction(stream.timeBase, by: "/") else { return nil }
        let ratio = stream.sampleAspectRatio.flatMap { fraction($0, by: ":") }
        let frames = (listing.frames ?? []).map {
            Frame(
                ticks: $0.bestEffortTimestamp, isKey: $0.keyFrame == 1, width: $0.width ?? 0,
                height: $0.height ?? 0, isInterlaced: $0.interlacedFrame == 1)
        }
        return Stream(
            index: stream.index, timeBase: TimeBase(Int32(base.0), over: Int32(base.1))!,
            codec: stream.codecName ?? "", pixelFormat: stream.pixFmt ?? "",
            sampleAspectRatio: ratio.flatMap { $0.0 > 0 ? (width: $0.0, height: $0.1) : nil }, frames: frames)
    }

    /// When the packets of the video stream are presented, in the order of decoding, in ticks of the stream.
    public static func packetTimes(of path: String) throws -> [Int64] {
        let result = try ProcessRunner.run(
            "ffprobe", ["-v", "error", "-select_streams", "V:0", "-show_entries", "packet=pts", "-of", "csv=p=0", path])
        return String(decoding: result.standardOutput, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap {
            Int64($0.prefix { $0 != "," })
        }
    }

    /// All frames of the video stream as pictures, in presentation order, from the ffmpeg command.
    ///
    /// - Parameters:
    ///   - width: Of the stream's frames, or of what `filter` makes of them.
    ///   - height: The same.
    ///   - turned: Whether the display matrix is applied.
    ///   - filter: An ffmpeg filter, such as `select=eq(n\\,5)`.
    public static func pictures(
        of path: String, width: Int, height: Int, turned: Bool = false, filter: String? = nil
    ) throws -> [RGBPicture] {
        // Without the flag libavcodec cuts the left edge at places that suit its memory, not where the stream says.
        var arguments = ["-nostdin", "-v", "error", "-flags", "unaligned", "-autorotate", turned ? "1" : "0"]
        arguments += ["-i", path, "-map", "0:V:0"]
        if let filter { arguments += ["-vf", filter] }
        arguments += ["-vsync", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
        let bytes = try ProcessRunner.run("ffmpeg", arguments).standardOutput
        let size = width * height * 3
        return (0..<bytes.count / size).map {
            RGBPicture(width: width, height: height, bytes: Array(bytes[$0 * size..<($0 + 1) * size]))
        }
    }

    private static func fraction(_ text: String, by separator: Character) -> (Int, Int)? {
        let parts = text.split(separator: separator).compactMap { Int($0) }
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }

    /// What `ffprobe -of json` prints, in its words.
    private struct Listing: Decodable {
        struct Frame: Decodable {
            let keyFrame: Int?
            let bestEffortTimestamp: Int64?
            let width: Int?
            let height: Int?
            let interlacedFrame: Int?
        }
        struct Stream: Decodable {
            let index: Int
            let timeBase: String
            let codecName: String?
            let pixFmt: String?
            let sampleAspectRatio: String?
        }
        let frames: [Frame]?
        let streams: [Stream]?
    }
}
