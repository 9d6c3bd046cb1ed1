import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

extension BatchTests {
    /// What goes wrong costs the input that it is about.
    @Suite struct Faults: BatchSuite {
        let folder: TemporaryDirectory

        init() throws { folder = try Self.clips() }

        @Test func aWorkerThatComesToGriefCostsItsInput() throws {
            var inputs = try links(30)
            for name in ["crash", "hang", "swallow"] {
                try link("h264", "in/\(name).mp4")
                inputs.insert("in/\(name).mp4", at: 7)
            }
            let start = ContinuousClock.now
            let result = try batch(
                inputs + ["--at", "0.2", "-o", "out/", "--json", "--timeout", "1s", "--max-memory", "400M"],
                faults: true)
            #expect(result.exitCode == 3)
            let failed = try receipts(result).filter { $0["status"] as? String == "failed" }
            let codes = Dictionary(
                uniqueKeysWithValues: failed.map { ($0["input"] as? String ?? "", $0["code"] as? String) })
            #expect(
                codes == [
                    "in/crash.mp4": "crashed", "in/hang.mp4": "timed-out", "in/swallow.mp4": "too-much-memory",
                ])
            #expect(result.messages.contains("signal 6"))
            #expect(result.messages.contains("30 done, 3 failed (1 crashed, 1 timed-out, 1 too-much-memory)"))
            #expect(ContinuousClock.now - start < Patience.atMost(.seconds(30)))
        }

        @Test func eachPictureOfAnInputThatCrashesIsAccountedFor() throws {
            try link("h264", "crash.mp4")
            let job = #"{"source":"crash.mp4","pictures":[{"at":["1.5","50%"]},{"count":3,"output":"{index}.jpg"}]}"#
            let result = try batch(["--manifest", "-", "--json"], input: Array(job.utf8), faults: true)
            #expect(result.exitCode == 1 && result.messages.count { $0 == "\n" } == 2, "\(result.messages)")
            let receipts = try receipts(result)
            let asked = receipts.compactMap { $0["requested"] as? [String: Any] }
            #expect(receipts.map { $0["picture"] as? Int } == [0, 1, nil])
            #expect(asked.map { $0["position"] as? String } == ["1.5", "50%", "count:3"])
            #expect(asked.map { $0["time"] as? String } == ["1.5", nil, nil])
            #expect(receipts.allSatisfy { $0["code"] as? String == "crashed" })
        }

        @Test func failedPicturesOfOneInputAreToldWithTheirTimes() throws {
            try link("h264", "v.mp4")
            let several = try batch(["v.mp4", "--at", "0.5,50s,frame:9999", "--strict", "-o", "out/"])
            #expect(several.exitCode == 1)
            #expect(several.messages.contains("snap: v.mp4: 00:00:50.000: "), "\(several.messages)")
            #expect(several.messages.contains("snap: v.mp4: frame:9999: "), "\(several.messages)")
            let one = try batch(["v.mp4", "--at", "50s", "--strict", "-o", "out/"])
            #expect(one.exitCode == 1 && !one.messages.contains("00:00:50.000: "), "\(one.messages)")
            try folder.write([], to: "file")
            let unwritable = try batch(["v.mp4", "--at", "0.5,1", "-o", "file/{index}.jpg", "--json"])
            let asked = try receipts(unwritable).compactMap { $0["requested"] as? [String: Any] }
            #expect(asked.map { $0["time"] as? String } == ["0.5", "1"])
        }

        @Test func workersThatCannotStartEndTheBatchAndAccuseNoInput() throws {
            try link("h264", "v.mp4")
            let result = try ProcessRunner.run(
                SnapProcess.path, ["batch", "v.mp4", "-o", "out/", "--json"],
                environment: ["SNAP_TEST_FAULTS": "start"], in: folder.path, limit: 60)
            #expect(result.exitCode == 70 && result.output == "")
            #expect(
                result.messages.contains("workers can't be started; 4 in a row failed: the worker crashed (signal 6"),
                "\(result.messages)")
        }

        @Test func failuresCanBeLimited() throws {
            let absent = (0..<50).map { "no\($0).mp4" }
            let fast = try batch(absent + ["-j", "1", "--fail-fast", "-o", "out/"])
            #expect(fast.exitCode == 1)
            #expect(fast.messages.count { $0 == "\n" } < 8)
            let some = try batch(absent + ["-j", "1", "--max-failures", "10", "-o", "out/", "--json"])
            #expect(11...14 ~= some.lines.count)
        }

        @Test func aFolderThatCannotBeWrittenFailsItsPictures() throws {
            let inputs = try links(6)
            try folder.write([], to: "out")
            let result = try batch(inputs + ["--at", "0", "-o", "out/{stem}.jpg"])
            #expect(result.exitCode == 1)
            #expect(result.messages.contains("6 failed (6 cannot-write)"))
        }

        @Test(.enabled(if: SmallDisk.isPossible)) func aFullDiskLosesNothingThatIsThere() throws {
            let inputs = try links(60)
            let disk = try SmallDisk(at: folder.path("disk"), kilobytes: 64)
            defer { disk.unmount() }
            let result = try batch(inputs + ["--at", "0.2", "-o", "disk/", "--json"])
            #expect(result.exitCode == 3)
            let receipts = try receipts(result)
            #expect(receipts.count == 60)
            let written = receipts.filter { $0["status"] as? String == "ok" }.compactMap { $0["output"] as? String }
            let there = try FileManager.default.contentsOfDirectory(atPath: folder.path("disk")).map { "disk/\($0)" }
            #expect(written.sorted() == there.sorted() && !there.isEmpty)
            for path in there { #expect(try folder.read(path).suffix(2) == [0xff, 0xd9]) }
        }

        @Test(arguments: [
            (["a.mp4", "b.mp4", "-o", "x.jpg"], "one name for the pictures of several videos"),
            (["a.mp4", "-o", "-"], "a batch writes files"), ([], "no input is named"),
            (["a.mp4", "--from-file", "l"], "one of them"), (["--null", "a.mp4"], "--from-file"),
            (["a.mp4", "--shard", "0/3"], "from 1/16 to 16/16"), (["a.mp4", "--resume"], "--journal"),
            (["a.mp4", "--at", "x"], "is not a time"), (["a.mp4", "-j", "0"], "goes from 1 to"),
            (["-"], "--from-file -"),
        ])
        func mistakesAreSaidBeforeWorkBegins(_ arguments: [String], _ phrase: String) throws {
            let result = try batch(arguments)
            #expect(result.exitCode == 64 && result.output == "")
            #expect(result.messages.contains(phrase), "\(result.messages)")
        }

        @Test func aListThatIsNotThereIsAnError() throws {
            let result = try batch(["--from-file", "absent.txt", "-o", "out/"])
            #expect(result.exitCode == 66)
            #expect(result.messages.contains("absent.txt: the list can't be read: no such file"))
        }

        /// A request has some 600 KB, and a pipe takes 64.
        @Test func aWorkerThatReadsNothingHoldsUpNobody() throws {
            for name in ["hang", "a"] { try link("h264", "\(name).mp4") }
            let header = #""x: \#(String(repeating: "y", count: 600_000))""#
            let lines = Mutex([
                #"{"source":"hang.mp4","output":"hang.jpg"}"#,
                #"{"source":"a.mp4","at":0,"output":"a.jpg","header":\#(header)}"#,
            ])
            let isStopped = DispatchSemaphore(value: 0)
            let jobs = try NamedPipe(folder.path("jobs"))
            jobs.write {
                let line = lines.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                if line?.hasPrefix(#"{"source":"a"#) == true { isStopped.wait() }
                return line.map { Array(($0 + "\n").utf8) }
            }
            let process = try RunningProcess(
                SnapProcess.path, ["batch", "--manifest", jobs.path, "-j", "1", "--timeout", "500ms"],
                environment: ["SNAP_TEST_FAULTS": "1"], in: folder.path)
            for worker in try Self.awaitChildren(of: process.identifier) { kill(worker, SIGSTOP) }
            isStopped.signal()
            let result = process.wait(limit: 30)
            #expect(result.exitCode == 3 && result.messages.contains("1 done, 1 failed (1 timed-out)"))
        }

        @Test func badJobsCostTheirNeighboursNothing() throws {
            try link("h264", "v.mp4")
            let jobs = (0..<60).map { number in
                number % 2 == 0
                    ? #"{"source":"v.mp4","at":["0.2","0.4"],"output":"o/\#(number)-{index}.jpg"}"#
                    : #"{"source":"v.mp4","att":1}"#
            }
            let result = try batch(["--manifest", "-", "-j", "1"], input: Array(jobs.joined(separator: "\n").utf8))
            #expect(result.messages.contains("30 done, 30 failed (30 usage)"))
            #expect(try pictures(in: "o").count == 60)
            let dash = try batch(["--manifest", "-"], input: Array(#"{"source":"v.mp4","output":"-"}"#.utf8))
            #expect(dash.exitCode == 1 && dash.messages.contains("needs an 'output' other than -"))
        }

        @Test func aVideoIsNeverWrittenOver() throws {
            for name in ["a.mp4", "b.mp4"] { try link("h264", name) }
            try folder.write(try Clip.vp9.bytes(), to: "c.mp4")
            let jobs =
                #"{"source":"a.mp4","output":"c.mp4","format":"jpg"}"# + "\n" + #"{"source":"c.mp4","output":"c.jpg"}"#
            let result = try batch(["--manifest", "-"], input: Array(jobs.utf8))
            #expect(result.exitCode == 3 && result.messages.contains("c.mp4: would be written over a video"))
            #expect(try folder.read("c.mp4") == (try Clip.vp9.bytes()))
        }

        @Test(arguments: [
            "http://user:secret@", "http://user:secret/secret@", "http://user:1secret#s@secret@", "ftp://user:secret@",
            "http://user:/secret@",
        ])
        func nobodyIsToldAPassword(_ start: String) throws {
            let url = start + "127.0.0.1:9/a.mp4"
            let result = try batch([url, url, "--json", "--journal", "j", "-o", "out/{dir}/{name}.jpg"])
            let journal = String(decoding: try folder.read("j"), as: UTF8.self)
            #expect(result.exitCode == 1 && journal.contains("127.0.0.1:9/a.mp4"))
            for text in [result.output, result.messages, journal] { #expect(!text.contains("secret")) }
            for words in [[url, url, "--json", "-o", "{dir}/{name}.jpg"], ["probe", "--json", url]] {
                let result = try ProcessRunner.run(SnapProcess.path, words, in: folder.path)
                #expect(result.exitCode != 0 && result.messages.contains("127.0.0.1"))
                #expect(!result.output.contains("secret") && !result.messages.contains("secret"))
            }
        }

        @Test func norOneWhoseWorkerIsEnded() throws {
            let server = try LoopbackServer { _ in
                usleep(2_000_000)
                return nil
            }
            let url = server.url("/a.mp4", user: "user:secret@")
            let process = try RunningProcess(SnapProcess.path, ["batch", url, "--json", "-o", "out/"], in: folder.path)
            for _ in 0..<2 {
                let workers = try Self.awaitChildren(of: process.identifier)
                usleep(400_000)
                for worker in workers { kill(worker, SIGKILL) }
                usleep(200_000)
            }
            let result = process.wait(limit: 60)
            #expect(result.exitCode == 1 && result.messages.contains("signal 9"), "\(result.messages)")
            #expect(!result.output.contains("secret") && !result.messages.contains("secret"))
        }

        @Test func aWorkerThatIsEndedWhileItWaitsIsNoLoss() throws {
            for name in ["hang", "a"] { try link("h264", "\(name).mp4") }
            let process = try RunningProcess(
                SnapProcess.path,
                ["batch", "hang.mp4", "a.mp4", "--timeout", "1s", "-j", "2", "--at", "0", "-o", "out/"],
                environment: ["SNAP_TEST_FAULTS": "1"], in: folder.path)
            let deadline = ContinuousClock.now + .seconds(10)
            let picture = folder.path("out/a-00-00-00.000.jpg")
            while !FileManager.default.fileExists(atPath: picture), ContinuousClock.now < deadline { usleep(20_000) }
            for worker in try Self.children(of: process.identifier) { kill(worker, SIGKILL) }
            let result = process.wait(limit: 60)
            #expect(result.exitCode == 3)
            #expect(result.messages.contains("1 done, 1 failed (1 timed-out)"))
        }
    }
}
