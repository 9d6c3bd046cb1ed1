import TestSupport
import Testing

/// `--index`, as people and other programs give it.
@Suite("The command keeps time indexes where it is told to")
struct TimeIndexCommandTests {
    private func folder() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        try folder.write(Clip.ts.bytes(), to: "a.ts")
        return folder
    }

    @Test("In a folder, which it makes; the picture is the same")
    func command() throws {
        let folder = try folder()
        let plain = try SnapProcess.run("a.ts", "--at", "50%", "-o", "plain.png", in: folder)
        #expect(plain.exitCode == 0)
        for use in ["written", "read"] {
            let result = try SnapProcess.run(
                "a.ts", "--at", "50%", "--index", "deep/index", "-o", "\(use).png", "--json", in: folder)
            #expect(result.exitCode == 0 && result.output.contains(#""timeIndex":"\#(use)""#), "\(result.output)")
            #expect(try folder.read("\(use).png") == folder.read("plain.png"))
        }
        #expect(try folder.files().count { $0.hasPrefix("deep/index/") && $0.hasSuffix(".snapindex") } == 1)
    }

    @Test("A batch and a worker take it too, and a journal does not mind it")
    func others() throws {
        let folder = try folder()
        let batch = try SnapProcess.run(
            "batch", "a.ts", "--at", "50%", "--index", "beside", "-o", "{stem}.jpg", "--journal", "j", in: folder)
        #expect(batch.exitCode == 0, "\(batch.messages)")
        #expect(try folder.files().contains("a.ts.snapindex"))
        let again = try SnapProcess.run(
            "batch", "a.ts", "--at", "50%", "-o", "{stem}.jpg", "--journal", "j", "--resume", "--json", in: folder)
        #expect(again.output.contains("done-before"), "\(again.output)\(again.messages)")
        let request = #"{"id":1,"source":"a.ts","at":"50%","index":"beside"}"# + "\n"
        let worker = try SnapProcess.run("worker", input: Array(request.utf8), in: folder)
        #expect(worker.output.contains(#""timeIndex":"read""#), "\(worker.output)")
    }

    @Test(
        "A place where no folder can be is said before any work, with exit code 73",
        arguments: [
            ["a.ts", "--at", "1"], ["batch", "a.ts", "--at", "1", "-o", "out/"], ["probe", "a.ts"], ["worker"],
        ])
    func noFolder(_ words: [String]) throws {
        for place in ["a.ts", "a.ts/index"] {
            let folder = try folder()
            let result = try ProcessRunner.run(
                SnapProcess.path, words + ["--index", place], input: [], in: folder.path, limit: 60)
            #expect(result.exitCode == 73 && result.messages.contains(place), "\(result.messages)")
            #expect(try folder.files() == ["a.ts"])
        }
    }

    @Test("No name is no place")
    func empty() throws {
        #expect(try SnapProcess.run("a.ts", "--at", "1", "--index", "", in: folder()).exitCode == 64)
    }
}
