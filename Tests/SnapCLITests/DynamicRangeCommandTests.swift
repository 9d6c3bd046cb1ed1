import Foundation
import TestSupport
import Testing

/// `--hdr`, wherever options can be given.
@Suite("HDR becomes what --hdr says, by the command, a batch and a worker")
struct DynamicRangeCommandTests {
    private static func folder() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        try folder.write(try Clip.hdr10.bytes(), to: "video.hevc")
        return folder
    }

    /// What the command writes for each way; they differ.
    private static func pictures(in folder: TemporaryDirectory) throws -> [String: [UInt8]] {
        var pictures: [String: [UInt8]] = [:]
        for way in ["tonemap", "clip", "keep"] {
            let result = try SnapProcess.run(
                "video.hevc", "--at", "0", "--hdr", way, "-o", "one.png", "--json", in: folder)
            #expect(result.exitCode == 0 && result.output.contains(#""hdr":"\#(way)""#), "\(result.messages)")
            pictures[way] = try folder.read("one.png")
        }
        #expect(Set(pictures.values).count == 3)
        return pictures
    }

    @Test func batch() throws {
        let folder = try Self.folder()
        let pictures = try Self.pictures(in: folder)
        for (way, expected) in pictures {
            let result = try SnapProcess.run(
                "batch", "video.hevc", "--at", "0", "--hdr", way, "-o", "\(way).png", "--ndjson", in: folder)
            #expect(result.exitCode == 0 && result.output.contains(#""hdr":"\#(way)""#), "\(result.messages)")
            #expect(try folder.read("\(way).png") == expected)
        }
        let job = """
            {"source":"video.hevc","at":"0","pictures":[{"output":"a.png","hdr":"clip"},{"output":"b.png","hdr":"keep"},\
            {"output":"c.png"}]}
            """
        try folder.write(Array(job.utf8), to: "jobs")
        #expect(try SnapProcess.run("batch", "--manifest", "jobs", in: folder).exitCode == 0)
        for (name, way) in [("a", "clip"), ("b", "keep"), ("c", "tonemap")] {
            #expect(try folder.read("\(name).png") == pictures[way])
        }
    }

    @Test func worker() throws {
        let folder = try Self.folder()
        let pictures = try Self.pictures(in: folder)
        let requests = """
            {"id":1,"source":"video.hevc","at":"0","output":"a.png","hdr":"keep"}
            {"id":2,"source":"video.hevc","at":"0","output":"b.png"}
            {"id":3,"source":"video.hevc","at":"0","output":"c.png","hdr":"tonemap"}
            {"id":4,"source":"video.hevc","at":"0","output":"d.jpg","hdr":"keep"}

            """
        let result = try SnapProcess.run("worker", "--hdr", "clip", input: Array(requests.utf8), in: folder)
        for (name, way) in [("a", "keep"), ("b", "clip"), ("c", "tonemap")] {
            #expect(try folder.read("\(name).png") == pictures[way], "\(name)")
        }
        #expect(result.output.contains("--hdr keep needs 16 bits"))
        #expect(try !folder.files().contains("d.jpg"))
    }

    @Test func anUnknownWayIsAUsageError() throws {
        let folder = try Self.folder()
        for command in [["video.hevc"], ["batch", "video.hevc", "-o", "x/"], ["worker"]] {
            let result = try ProcessRunner.run(
                SnapProcess.path, command + ["--hdr", "bright"], input: [], in: folder.path, limit: 60)
            #expect(result.exitCode == 64, "\(command): \(result.messages)")
        }
    }
}
