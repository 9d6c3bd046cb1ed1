import Foundation

/// The numbered frames that clips are made from.
struct FrameSource: Sendable {
    var width = 192
    var height = 108
    /// The number on the first frame.
    var first = 0
    var count = 60
    /// Frames a second, as the ffmpeg command takes it.
    var rate = "25"
    /// How the frames lie in the file.
    var turn = Turn.none

    /// Too small for blocks: numbers are grey levels.
    var isFlat: Bool { width < FrameNumberPattern.smallestWidth }

    var description: String { "\(width)x\(height)-\(first)-\(count)-\(turn.rawValue)" }

    /// The input of an ffmpeg command that reads the frames.
    func arguments() throws -> [String] {
        let size = turn.size(width: width, height: height)
        return [
            "-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", "\(size.width)x\(size.height)",
            "-framerate", rate, "-i", try path(),
        ]
    }

    /// The file of raw frames, drawn when it is not there yet.
    private func path() throws -> String {
        try ClipCache.file("frames-\(description).rgb") { folder in
            let path = folder + "/frames"
            try Data().write(to: URL(fileURLWithPath: path))
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            for number in first..<first + count {
                try file.write(contentsOf: Data(picture(of: number).turned(by: turn).bytes))
            }
            try file.close()
            return path
        }
    }

    private func picture(of number: Int) -> RGBPicture {
        isFlat
            ? FlatPattern.picture(of: number, width: width, height: height)
            : FrameNumberPattern.picture(of: number, width: width, height: height)
    }
}
