import Foundation
import TestSupport
import Testing

@Suite struct ProcessRunnerTests {
    @Test func bytesGoInAndComeOut() throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let result = try ProcessRunner.run("cat", [], input: bytes)
        #expect(result.standardOutput == bytes)
        #expect(result.end == .exited(0))
    }

    @Test func outputsAndExitCodeAreKeptApart() throws {
        let result = try ProcessRunner.run(
            "sh", ["-c", "echo out; echo \"$WORD\" >&2; exit 65"], environment: ["WORD": "err"])
        #expect(result.output == "out\n")
        #expect(result.messages == "err\n")
        #expect(result.exitCode == 65)
    }

    @Test func commandRunsInItsFolder() throws {
        let folder = try TemporaryDirectory()
        try folder.write([1, 2, 3], to: "a/b.bin")
        #expect(try ProcessRunner.run("ls", ["a"], in: folder.path).output == "b.bin\n")
        #expect(try folder.files() == ["a/b.bin"])
    }

    @Test func slowCommandIsStopped() throws {
        #expect(try ProcessRunner.run("sleep", ["30"], limit: 0.2).end == .timedOut)
    }

    @Test func signalIsReported() throws {
        let process = try RunningProcess("sleep", ["30"])
        process.send(signal: SIGTERM)
        #expect(process.wait().end == .killed(signal: SIGTERM))
    }

    @Test func inputThatNobodyReadsIsNoFault() throws {
        let result = try ProcessRunner.run("true", [], input: [UInt8](repeating: 0, count: 1_000_000))
        #expect(result.exitCode == 0)
    }

    @Test func missingCommandIsAnError() {
        #expect(throws: ProcessError.self) { try ProcessRunner.run("no-such-command-at-all", []) }
    }
}
