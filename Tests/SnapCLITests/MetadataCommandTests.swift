import Foundation
import TestSupport
import Testing

/// `--metadata`, wherever options can be given.
@Suite("--metadata writes when and where, and nothing else does")
struct MetadataCommandTests {
    private static func folder() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        let result = try ProcessRunner.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:r=4:d=3", "-c:v", "mpeg4", "-metadata",
                "creation_time=2026-11-20T18:00:00Z", "-metadata", "location=-33.8568+151.2153/",
                folder.path("video.mp4"),
            ])
        try #require(result.exitCode == 0, "\(result.messages)")
        return folder
    }

    private static func date(_ file: [UInt8]) -> EXIFReading.Value? {
        (EXIFReading(jpeg: file) ?? EXIFReading(png: file))?.camera[0x9003]
    }

    @Test("By the command, in both formats")
    func command() throws {
        let folder = try Self.folder()
        for name in ["a.jpg", "a.png"] {
            let plain = try SnapProcess.run("video.mp4", "--at", "1", "-o", name, in: folder)
            #expect(plain.exitCode == 0)
            #expect(try EXIFReading(jpeg: folder.read(name)) == nil && EXIFReading(png: folder.read(name)) == nil)
            let dated = try SnapProcess.run("video.mp4", "--at", "1", "-o", name, "--metadata", "--json", in: folder)
            #expect(try Self.date(folder.read(name)) == .text("2026:11:20 18:00:01"))
            #expect(dated.output.contains(#""latitude":"-33.8568","longitude":"151.2153","altitude":null"#))
        }
    }

    @Test("By a batch, and by one product of several")
    func batch() throws {
        let folder = try Self.folder()
        let all = try SnapProcess.run(
            "batch", "video.mp4", "--at", "2", "-o", "b.jpg", "--metadata", "--ndjson", in: folder)
        #expect(all.exitCode == 0 && all.output.contains(#""date":"2026-11-20T18:00:02.000Z""#))
        #expect(try Self.date(folder.read("b.jpg")) == .text("2026:11:20 18:00:02"))
        let job = #"{"source":"video.mp4","at":"1","pictures":[{"output":"c.jpg","metadata":true},{"output":"d.jpg"}]}"#
        try folder.write(Array(job.utf8), to: "jobs")
        #expect(try SnapProcess.run("batch", "--manifest", "jobs", in: folder).exitCode == 0)
        #expect(try Self.date(folder.read("c.jpg")) == .text("2026:11:20 18:00:01"))
        #expect(try Self.date(folder.read("d.jpg")) == nil)
    }

    @Test("By a worker's request, over what its command line says")
    func worker() throws {
        let folder = try Self.folder()
        let requests = """
            {"id":1,"source":"video.mp4","at":"1","output":"e.jpg","metadata":true}
            {"id":2,"source":"video.mp4","at":"1","output":"f.jpg"}

            """
        #expect(try SnapProcess.run("worker", input: Array(requests.utf8), in: folder).exitCode == 0)
        #expect(try Self.date(folder.read("e.jpg")) == .text("2026:11:20 18:00:01"))
        #expect(try Self.date(folder.read("f.jpg")) == nil)
    }
}
