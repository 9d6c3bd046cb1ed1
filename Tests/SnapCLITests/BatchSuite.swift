import Foundation
import TestSupport
import Testing

/// Tests of `snap batch`, in a folder with clips.
protocol BatchSuite {
    var folder: TemporaryDirectory { get }
}

extension BatchSuite {
    /// A folder with what ``link(_:_:)`` takes: `h264`, `vp9` and `ts`.
    static func clips() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        for (name, clip) in [("h264", Clip.h264), ("vp9", .vp9), ("ts", .mpeg2InTS)] {
            try folder.write(try clip.bytes(), to: "clips/\(name)")
        }
        return folder
    }

    /// Puts a clip at a path, without copying it.
    func link(_ clip: String, _ path: String) throws {
        let target = folder.path(path)
        try FileManager.default.createDirectory(
            atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try FileManager.default.linkItem(atPath: folder.path("clips/\(clip)"), toPath: target)
    }

    func links(_ count: Int) throws -> [String] {
        try (0..<count).map { number in
            let path = "in/v\(number).mp4"
            try link(["h264", "vp9", "ts"][number % 3], path)
            return path
        }
    }

    func batch(
        _ arguments: [String], input: [UInt8]? = nil, faults: Bool = false, limit: Double = 120
    ) throws -> ProcessRunner.Result {
        try ProcessRunner.run(
            SnapProcess.path, ["batch"] + arguments, input: input,
            environment: faults ? ["SNAP_TEST_FAULTS": "1"] : [:],
            in: folder.path, limit: limit)
    }

    func receipts(_ result: ProcessRunner.Result) throws -> [[String: Any]] {
        try result.lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    /// The names and bytes of what was made.
    func pictures(in name: String) throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for file in (try? FileManager.default.subpathsOfDirectory(atPath: folder.path(name))) ?? [] {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: folder.path("\(name)/\(file)"), isDirectory: &isFolder)
            if !isFolder.boolValue { found[file] = try folder.read("\(name)/\(file)") }
        }
        return found
    }

    /// Waits until a process has started others, which it returns.
    static func awaitChildren(of process: Int32) throws -> [Int32] {
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            let found = try children(of: process)
            if !found.isEmpty { return found }
            usleep(20_000)
        }
        return []
    }

    /// The processes that a process has started and that are not gone.
    static func children(of process: Int32) throws -> [Int32] {
        let result = try ProcessRunner.run("ps", ["-A", "-o", "pid=,ppid="])
        return result.output.split(separator: "\n").compactMap { line in
            let numbers = line.split(separator: " ").compactMap { Int32($0) }
            return numbers.count == 2 && numbers[1] == process ? numbers[0] : nil
        }
    }
}
