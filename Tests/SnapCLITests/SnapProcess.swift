import Foundation
import TestSupport

/// The built command, as a shell would run it.
enum SnapProcess {
    /// Beside the bundle of these tests, or what SNAP_COMMAND names: a release is tested as it is.
    static let path: String = {
        if let named = ProcessInfo.processInfo.environment["SNAP_COMMAND"] { return named }
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
        let products = bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
        return products.appendingPathComponent("snap").path
    }()

    /// Runs it to its end.
    static func run(
        _ arguments: String..., input: [UInt8]? = nil, in folder: TemporaryDirectory, limit seconds: Double = 60
    ) throws -> ProcessRunner.Result {
        try ProcessRunner.run(path, arguments, input: input, in: folder.path, limit: seconds)
    }

    static func start(_ arguments: String..., in folder: TemporaryDirectory) throws -> RunningProcess {
        try RunningProcess(path, arguments, in: folder.path)
    }

    /// Runs a line of bash in which `snap` is the command.
    static func shell(_ line: String, in folder: TemporaryDirectory) throws -> ProcessRunner.Result {
        try ProcessRunner.run(
            "bash", ["-c", "snap() { \"$SNAP\" \"$@\"; }; \(line)"], environment: ["SNAP": path], in: folder.path)
    }

    /// A folder with `video.mp4`: 60 frames at 25 a second.
    static func folder(with name: String = "video.mp4") throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        try folder.write(try Clip.h264.bytes(), to: name)
        return folder
    }
}

extension ProcessRunner.Result {
    /// What was printed, line by line.
    var lines: [String] { output.split(separator: "\n").map(String.init) }
}
