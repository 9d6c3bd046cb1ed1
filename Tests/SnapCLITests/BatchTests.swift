import Foundation
import Synchronization
import TestSupport
import Testing

/// Many videos at once: every input accounted for once, and the same pictures as one by one.
@Suite(.serialized) struct BatchTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        for (name, clip) in [("h264", Clip.h264), ("vp9", .vp9), ("ts", .mpeg2InTS)] {
            try folder.write(try clip.bytes(), to: "clips/\(name)")
        }
    }

    /// Puts a clip at a path, without copying it.
    private func link(_ clip: String, _ path: String) throws {
        let target = folder.path(path)
        try FileManager.default.createDirectory(
            atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try FileManager.default.linkItem(atPath: folder.path("clips/\(clip)"), toPath: target)
    }

    private func links(_ count: Int) throws -> [String] {
        try (0..<count).map { number in
            let path = "in/v\(number).mp4"
            try link(["h264", "vp9", "ts"][number % 3], path)
            return path
        }
    }

    private func batch(
        _ arguments: [String], input: [UInt8]? = nil, faults: Bool = false, limit: Double = 120
    ) throws -> ProcessRunner.Result {
        try ProcessRunner.run(
            SnapProcess.path, ["batch"] + arguments, input: input,
            environment: faults ? ["SNAP_TEST_FAULTS": "1"] : [:],
            in: folder.path, limit: limit)
    }

    private func receipts(_ result: ProcessRunner.Result) throws -> [[String: Any]] {
        try result.lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    // MARK: What comes out

    @Test func everyInputIsAccountedForOnce() throws {
        var inputs = try links(300)
        let odd = [
            "in/a b.mp4", "in/new\nline.mp4", "in/50%.mp4", "in/-dash.mp4", "in/{stem}.mp4", "in/ü€😀.mp4", "in/'\".mp4",
        ]
        for path in odd { try link("h264", path) }
        inputs += odd
        var bad: [String: String] = [:]
        for (number, clip) in [Clip.empty, .text, .noise, .audioOnly, .encrypted, .unknownCodec, .absurdSize]
            .enumerated()
        {
            let path = "in/bad\(number).mp4"
            try folder.write(try clip.bytes(), to: path)
            bad[path] = "failed"
        }
        bad["in/absent.mp4"] = "failed"
        inputs += bad.keys.sorted()
        let list = Array(inputs.joined(separator: "\0").utf8) + [0]
        let result = try batch(
            ["-0", "--from-file", "-", "--at", "0.5", "-o", "out/{name}.jpg", "--json", "-j", "3"], input: list)
        #expect(result.exitCode == 3, "\(result.messages)")
        let receipts = try receipts(result)
        #expect(receipts.compactMap { $0["input"] as? String }.sorted() == inputs.sorted())
        #expect(receipts.compactMap { $0["index"] as? Int }.sorted() == Array(0..<inputs.count))
        for receipt in receipts {
            let input = try #require(receipt["input"] as? String)
            #expect(receipt["status"] as? String == bad[input] ?? "ok", "\(input)")
            #expect(inputs[try #require(receipt["index"] as? Int)] == input)
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).count == inputs.count - bad.count)
        #expect(result.messages.contains("snap: 307 done, 8 failed ("))
        #expect(result.messages.contains("snap: in/absent.mp4: no such file\n"))
    }

    /// `SNAP_TEST_ITEMS=10000` makes more of it.
    @Test func memoryStaysAsItIsHoweverLongTheList() throws {
        let count = Int(ProcessInfo.processInfo.environment["SNAP_TEST_ITEMS"] ?? "") ?? 1500
        var list = ""
        for number in 0..<count {
            let path = "many/\(number % 100)/v\(number).mp4"
            if number % 20 == 7 {
                try folder.write(Array("no video \(number)".utf8), to: path)
            } else {
                try link(["h264", "vp9", "ts"][number % 3], path)
            }
            list += path + "\n"
        }
        let process = try RunningProcess(
            SnapProcess.path,
            [
                "batch", "--from-file", "-", "--keyframe", "--at", "0.3", "--size", "48", "-o", "out/{dir}/{stem}.jpg",
                "--json",
            ],
            input: Array(list.utf8), in: folder.path)
        // The lines of standard output wait in a pipe until they are asked for, and would hold up the batch.
        let peaks = Mutex<[Int: Int]>([:])
        let watch = Thread {
            while let memory = Self.memory(of: process.identifier) {
                let made = (try? FileManager.default.subpathsOfDirectory(atPath: self.folder.path("out")).count) ?? 0
                peaks.withLock { $0[made * 4 / count] = max($0[made * 4 / count] ?? 0, memory) }
                usleep(100_000)
            }
        }
        watch.start()
        let result = process.wait(limit: 600)
        #expect(result.exitCode == 3)
        let receipts = try receipts(result)
        #expect(receipts.compactMap { $0["index"] as? Int }.sorted() == Array(0..<count))
        let failed = receipts.filter { $0["status"] as? String == "failed" }
        #expect(failed.count == (0..<count).count { $0 % 20 == 7 })
        #expect(try pictures(in: "out").count == count - failed.count)
        let found = peaks.withLock { $0 }
        // The first quarter is that of starting; behind it, a picture costs some 40 bytes.
        if let early = found[1], let late = found[3] { #expect(late - early < 4 << 20, "\(found)") }
    }

    /// What a process occupies, in bytes; `nil` when it is gone.
    private static func memory(of process: Int32) -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8) else { return nil }
        let words = text.split(separator: " ").compactMap { Int($0) }
        return words.count > 1 && words[1] > 0 ? words[1] * Int(sysconf(Int32(_SC_PAGESIZE))) : nil
    }

    @Test func thePicturesAreThoseOfOneByOne() throws {
        let inputs = try links(12)
        let options = ["--at", "0.3,50%,end", "--size", "96"]
        for (jobs, ordered) in [("1", true), ("2", false), ("5", true)] {
            let name = "many\(jobs)"
            let result = try batch(
                inputs + options + ["-j", jobs, "-o", "\(name)/{stem}-{index}.jpg"] + (ordered ? ["--ordered"] : []))
            #expect(result.exitCode == 0, "\(result.messages)")
            let paths = (0..<12).flatMap { video in (1...3).map { "\(name)/v\(video)-\($0).jpg" } }
            #expect((ordered ? result.lines : result.lines.sorted()) == (ordered ? paths : paths.sorted()))
        }
        let one = try ProcessRunner.run(
            SnapProcess.path, inputs + options + ["-o", "one/{stem}-{index}.jpg", "--threads", "1"], in: folder.path)
        #expect(one.exitCode == 0)
        for video in 0..<12 {
            for index in 1...3 {
                let name = "v\(video)-\(index).jpg"
                let expected = try folder.read("one/\(name)")
                for jobs in [1, 2, 5] { #expect(try folder.read("many\(jobs)/\(name)") == expected) }
            }
        }
    }

    @Test func aManifestMakesManyProductsOfOneVideo() throws {
        try link("h264", "v.mp4")
        let jobs = """
            {"source":"v.mp4","pictures":[{"at":[0.2,"1"],"output":"a-{index}.jpg"},{"at":"1","size":48,"output":"b.png"}]}

            {"source":"v.mp4","at":"end","output":"c.jpg","quality":30}
            {"source":"v.mp4","att":"end"}
            {"at":1}
            nonsense
            """
        let result = try batch(["--manifest", "-", "--json"], input: Array(jobs.utf8))
        #expect(result.exitCode == 3)
        #expect(
            try folder.files().filter { !$0.hasPrefix("clips/") } == ["a-1.jpg", "a-2.jpg", "b.png", "c.jpg", "v.mp4"])
        for phrase in ["'att' is not a key", "line 5: a job needs a source", "line 6: the line is not JSON"] {
            #expect(result.messages.contains(phrase), "\(phrase) in \(result.messages)")
        }
        #expect(result.messages.contains("2 done, 3 failed (3 usage)"))
    }

    @Test func foldersAreSearchedByContent() throws {
        for path in ["f/a.mp4", "f/sub/deep/b.bin", "f/sub/.hidden.mp4"] { try link("h264", path) }
        try link("ts", "f/recording")
        try folder.write(Array("let x = 1".utf8), to: "f/code.ts")
        try folder.write(Array("text".utf8), to: "f/readme.txt")
        symlink("..", folder.path("f/sub/loop"))
        let result = try batch(["-r", "f", "--at", "0.2", "-o", "out/{dir}/{name}.jpg", "--ordered"])
        #expect(result.exitCode == 0)
        #expect(result.lines == ["out/f/a.mp4.jpg", "out/f/recording.jpg", "out/f/sub/deep/b.bin.jpg"])
    }

    @Test func noPictureReplacesAnotherOne() throws {
        try link("h264", "x/v.mp4")
        try link("vp9", "y/v.mp4")
        let result = try batch(["x/v.mp4", "y/v.mp4", "-j", "1", "--at", "0.2", "-o", "{stem}.jpg"])
        #expect(result.exitCode == 3 && result.lines == ["v.jpg"])
        #expect(result.messages.contains("y/v.mp4: v.jpg: is the name of another input's picture, too"))
        let one = try batch(["x/v.mp4", "--at", "0.2", "-o", "w.jpg"])
        #expect(one.exitCode == 0)
        #expect(try folder.read("v.jpg") == (try folder.read("w.jpg")))
    }

    @Test func shardsAreParts() throws {
        let inputs = try links(40)
        var seen: [String] = []
        for shard in 1...3 {
            let result = try batch(inputs + ["--shard", "\(shard)/3", "--at", "0", "-o", "out/", "--json"])
            let own = try receipts(result).compactMap { $0["input"] as? String }
            #expect(own.count > 4)
            seen += own
        }
        #expect(seen.sorted() == inputs.sorted())
    }

    /// Made and found by bash and find: no name goes through this program's strings.
    @Test func namesThatAreNoTextComeOutAsTheyWentIn() throws {
        try link("h264", "video.mp4")
        let result = try SnapProcess.shell(
            """
            mkdir in && for i in 1 2 3; do cp video.mp4 in/$'\\xff'$i$'\\xfe.mp4'; done; cp video.mp4 $'in/4\\n.mp4'
            find in -name '*.mp4' -print0 | snap batch -0 --from-file - --at 0.2 -o $'o\\xff/{stem}.jpg' --journal j
            snap batch -r in --at 0.2 -o $'o\\xff/{stem}.jpg' --journal j --resume --ndjson
            find o* -name '*.jpg' -print0 | tr -d 'a-z/.' | tr '\\0' ' ' | od -An -tx1
            """, in: folder)
        #expect(result.exitCode == 0)
        #expect(result.messages.contains("4 done in") && result.messages.contains("0 done, 4 done before"))
        #expect(result.output.contains("\"inputBytes\":"))
        let bytes = result.output.filter { !$0.isWhitespace }
        for name in ["ff31fe20", "ff32fe20", "ff33fe20", "ff340a20"] { #expect(bytes.contains(name), "\(name)") }
    }

    @Test func ofOneHostOnlySoManyAreAskedForAtATime() throws {
        let inWork = Mutex((now: 0, most: 0))
        let bytes = try Clip.h264.bytes()
        let server = try LoopbackServer { _ in
            inWork.withLock { count in
                count.now += 1
                count.most = max(count.most, count.now)
            }
            usleep(50_000)
            inWork.withLock { $0.now -= 1 }
            return LoopbackResource(bytes)
        }
        let urls = (0..<16).map { server.url("/v\($0).mp4") }
        let result = try batch(urls + ["--at", "0.2", "-o", "out/", "--network-jobs", "8", "--per-host", "3"])
        #expect(result.exitCode == 0 && result.lines.count == 16, "\(result.messages)")
        #expect(2...3 ~= inWork.withLock { $0.most })
        withExtendedLifetime(server) {}
    }

    @Test func picturesThatAreThereAreLeftOut() throws {
        let inputs = try links(6)
        let words = inputs + ["--at", "0.2", "-o", "out/{stem}.jpg", "--skip-existing"]
        #expect(try batch(words).lines.count == 6)
        try FileManager.default.removeItem(atPath: folder.path("out/v2.jpg"))
        #expect(try batch(words).lines == ["out/v2.jpg"])
        try link("h264", "other/v2.mp4")
        let both = try batch(["in/v2.mp4", "other/v2.mp4"] + words.suffix(5))
        #expect(both.exitCode == 3 && both.messages.contains("is the name of another input's picture"))
    }

    // MARK: What goes wrong

    @Test func aWorkerThatComesToGriefCostsItsInput() throws {
        var inputs = try links(30)
        for name in ["crash", "hang", "swallow"] {
            try link("h264", "in/\(name).mp4")
            inputs.insert("in/\(name).mp4", at: 7)
        }
        let start = ContinuousClock.now
        let result = try batch(
            inputs + ["--at", "0.2", "-o", "out/", "--json", "--timeout", "1s", "--max-memory", "400M"], faults: true)
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
        (["a.mp4", "--at", "x"], "is not a time"), (["a.mp4", "-j", "0"], "goes from 1 to"), (["-"], "--from-file -"),
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

    // MARK: Stopping, and going on

    /// The names and bytes of what was made.
    private func pictures(in name: String) throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for file in (try? FileManager.default.subpathsOfDirectory(atPath: folder.path(name))) ?? [] {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: folder.path("\(name)/\(file)"), isDirectory: &isFolder)
            if !isFolder.boolValue { found[file] = try folder.read("\(name)/\(file)") }
        }
        return found
    }

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
            for (name, bytes) in try pictures(in: "out") {
                #expect(bytes.suffix(2) == [0xff, 0xd9] && name.hasSuffix(".jpg"), "\(name) is half written")
            }
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
                usleep(500_000 * UInt32(Patience.factor))
                process.send(signal: SIGTERM)
            }
            let result = process.wait(limit: 20)
            #expect(result.end == .exited(words == ["--fail-fast"] ? 1 : 143), "\(result.messages.suffix(500))")
            #expect(result.messages.contains("snap: stopped: "))
        }
    }

    @Test func aWorkerThatIsEndedWhileItWaitsIsNoLoss() throws {
        for name in ["hang", "a"] { try link("h264", "\(name).mp4") }
        let process = try RunningProcess(
            SnapProcess.path, ["batch", "hang.mp4", "a.mp4", "--timeout", "1s", "-j", "2", "--at", "0", "-o", "out/"],
            environment: ["SNAP_TEST_FAULTS": "1"], in: folder.path)
        let deadline = ContinuousClock.now + .seconds(10)
        while try pictures(in: "out").isEmpty, ContinuousClock.now < deadline { usleep(20_000) }
        for worker in try Self.children(of: process.identifier) { kill(worker, SIGKILL) }
        let result = process.wait(limit: 60)
        #expect(result.exitCode == 3)
        #expect(result.messages.contains("1 done, 1 failed (1 timed-out)"))
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

    @Test func nobodyIsToldAPassword() throws {
        let url = "http://user:secret@127.0.0.1:9/a.mp4"
        let result = try batch([url, "--json", "--journal", "j", "-o", "out/"])
        let journal = String(decoding: try folder.read("j"), as: UTF8.self)
        #expect(result.exitCode == 1 && journal.contains("127.0.0.1:9/a.mp4"))
        for text in [result.output, result.messages, journal] { #expect(!text.contains("secret")) }
    }

    @Test func norOneWhoseWorkerIsEnded() throws {
        let server = try LoopbackServer { _ in
            usleep(2_000_000)
            return nil
        }
        let url = server.url("/a.mp4", user: "user:secret@")
        let process = try RunningProcess(SnapProcess.path, ["batch", url, "--json", "-o", "out/"], in: folder.path)
        for _ in 0..<2 {
            let deadline = ContinuousClock.now + .seconds(10)
            var workers: [Int32] = []
            while workers.isEmpty, ContinuousClock.now < deadline {
                usleep(100_000)
                workers = try Self.children(of: process.identifier)
            }
            usleep(400_000)
            for worker in workers { kill(worker, SIGKILL) }
            usleep(200_000)
        }
        let result = process.wait(limit: 60)
        #expect(result.exitCode == 1 && result.messages.contains("signal 9"), "\(result.messages)")
        #expect(!result.output.contains("secret") && !result.messages.contains("secret"))
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
        let deadline = ContinuousClock.now + .seconds(10)
        while try Self.children(of: first.identifier).isEmpty, ContinuousClock.now < deadline { usleep(20_000) }
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
        var workers: [Int32] = []
        let deadline = ContinuousClock.now + .seconds(20)
        while workers.isEmpty, ContinuousClock.now < deadline {
            usleep(20_000)
            workers = try Self.children(of: process.identifier)
        }
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

    /// The processes that a process has started and that are not gone.
    private static func children(of process: Int32) throws -> [Int32] {
        let result = try ProcessRunner.run("ps", ["-A", "-o", "pid=,ppid="])
        return result.output.split(separator: "\n").compactMap { line in
            let numbers = line.split(separator: " ").compactMap { Int32($0) }
            return numbers.count == 2 && numbers[1] == process ? numbers[0] : nil
        }
    }
}
