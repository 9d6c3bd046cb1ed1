import Foundation
import TestSupport
import Testing

extension BatchTests {
    /// Stopping at any moment, and going on.
    @Suite struct Stopping: BatchSuite {
        let folder: TemporaryDirectory

        init() throws { folder = try Self.clips() }

        private func isPart(_ name: String) -> Bool { name.hasPrefix(".") && name.hasSuffix(".part") }

        @Test func killedAtAnyMomentItCanBeTakenUpAgain() throws {
            let inputs = try links(60) + ["in/absent.mp4"]
            let options = ["--at", "0.2,0.8", "--size", "64"]
            let undisturbed = try batch(inputs + options + ["-o", "whole/{stem}-{index}.jpg"])
            #expect(undisturbed.exitCode == 3)
            var random = SeededRandom(seed: 7)
            let words = inputs + options + ["-o", "out/{stem}-{index}.jpg", "--journal", "journal.jsonl", "--resume"]
            for _ in 0..<20 {
                let process = try RunningProcess(SnapProcess.path, ["batch"] + words, in: folder.path)
                usleep(UInt32.random(in: 20_000...220_000, using: &random))
                process.send(signal: SIGKILL)
                _ = process.wait()
                for (name, bytes) in try pictures(in: "out") where !isPart(name) {
                    #expect(bytes.suffix(2) == [0xff, 0xd9] && name.hasSuffix(".jpg"), "\(name) is half written")
                }
            }
            // A picture that takes the place of another one has a hidden name for a moment, which may be the last one.
            for name in try pictures(in: "out").keys where isPart(name) {
                try FileManager.default.removeItem(atPath: folder.path("out/" + name))
            }
            let end = try batch(words)
            #expect(end.exitCode == 3, "\(end.messages)")
            #expect(try pictures(in: "out") == (try pictures(in: "whole")))
            let again = try batch(words)
            #expect(again.messages.contains("0 done, 60 done before, 1 failed before"))
            let retried = try batch(words + ["--retry-failed"])
            #expect(retried.messages.contains("60 done before, 1 failed (1 not-found)"))
            // Another picture is wanted, or one is gone, or a file has changed: none of that was done before.
            try FileManager.default.removeItem(atPath: folder.path("out/v3-1.jpg"))
            try FileManager.default.removeItem(atPath: folder.path("in/v5.mp4"))
            try link("vp9", "in/v5.mp4")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: folder.path("in/v5.mp4"))
            let some = try batch(words)
            #expect(!some.messages.contains("0 done, 60"))
            #expect(try pictures(in: "out")["v3-1.jpg"] != nil)
            let other = try batch(inputs + ["--at", "0.4"] + words.suffix(5))
            #expect(other.messages.contains("60 done, 1 failed"))
        }

        @Test func aSignalStopsItWithinASecond() throws {
            var inputs = try links(40)
            try link("h264", "in/hang.mp4")
            inputs.insert("in/hang.mp4", at: 3)
            let process = try RunningProcess(
                SnapProcess.path, ["batch"] + inputs + ["--at", "0.2", "-o", "out/", "--timeout", "0"],
                environment: ["SNAP_TEST_FAULTS": "1"], in: folder.path)
            process.waitUntilBlocked(SIGINT)
            usleep(400_000 * UInt32(Patience.factor))
            let start = ContinuousClock.now
            process.send(signal: SIGINT)
            let result = process.wait(limit: 20)
            #expect(result.end == .exited(130))
            #expect(ContinuousClock.now - start < Patience.atMost(.seconds(1)))
            #expect(try folder.files().allSatisfy { !$0.contains(".part") })
            #expect(try Self.children(of: process.identifier).isEmpty)
        }

        @Test func aSignalStopsItWhereManyAreStillListed() throws {
            let list = (0..<4000).map { "absent\($0).mp4\n" }.joined()
            try link("h264", "hang.mp4")
            for words in [["--timeout", "0", "-j", "1"], ["--fail-fast"]] {
                let process = try RunningProcess(
                    SnapProcess.path, ["batch", "--from-file", "-", "-o", "out/"] + words,
                    input: Array((words == ["--fail-fast"] ? list : "hang.mp4\n" + list).utf8),
                    environment: ["SNAP_TEST_FAULTS": "1"], in: folder.path)
                if words != ["--fail-fast"] {
                    #expect(try !Self.awaitChildren(of: process.identifier).isEmpty)
                    usleep(500_000 * UInt32(Patience.factor))
                    process.send(signal: SIGTERM)
                }
                let result = process.wait(limit: 20)
                #expect(result.end == .exited(words == ["--fail-fast"] ? 1 : 143), "\(result.messages.suffix(500))")
                #expect(result.messages.contains("snap: stopped: "))
            }
        }

        @Test func aJournalIsNothingElseAndNobodyElses() throws {
            try link("h264", "v.mp4")
            let other = try batch(["v.mp4", "--journal", "v.mp4", "-o", "out/"])
            #expect(other.exitCode == 73 && other.messages.contains("v.mp4: is no journal"))
            #expect(try folder.read("v.mp4") == (try Clip.h264.bytes()))
            try link("h264", "hang.mp4")
            let first = try RunningProcess(
                SnapProcess.path, ["batch", "hang.mp4", "--timeout", "0", "--journal", "j", "-o", "out/"],
                environment: ["SNAP_TEST_FAULTS": "1"], in: folder.path)
            #expect(try !Self.awaitChildren(of: first.identifier).isEmpty)
            let second = try batch(["v.mp4", "--journal", "j", "-o", "out/"])
            #expect(second.exitCode == 73 && second.messages.contains("in use by another batch"))
            first.send(signal: SIGTERM)
            #expect(first.wait(limit: 20).end == .exited(143))
        }

        @Test func workersEndWithTheirSupervisor() throws {
            try link("h264", "hang.mp4")
            let process = try RunningProcess(
                SnapProcess.path, ["batch", "hang.mp4", "--timeout", "0", "-o", "out/"],
                environment: ["SNAP_TEST_FAULTS": "1"], in: folder.path)
            let workers = try Self.awaitChildren(of: process.identifier)
            let deadline = ContinuousClock.now + .seconds(20)
            usleep(300_000)
            process.send(signal: SIGKILL)
            _ = process.wait()
            while workers.contains(where: { kill($0, 0) == 0 }), ContinuousClock.now < deadline { usleep(20_000) }
            #expect(!workers.isEmpty && workers.allSatisfy { kill($0, 0) != 0 })
        }

        @Test func nobodyWhoReadsIsTheQuietEnd() throws {
            _ = try links(60)
            let result = try SnapProcess.shell(
                "ls -d in/* | { snap batch --from-file - --at 0 -o out/; echo $? > code; } | head -1", in: folder)
            #expect(result.lines.count == 1 && result.messages == "")
            #expect(try String(decoding: folder.read("code"), as: UTF8.self) == "141\n")
        }
    }
}
