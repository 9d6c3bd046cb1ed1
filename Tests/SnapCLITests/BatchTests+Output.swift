import Foundation
import Synchronization
import TestSupport
import Testing

extension BatchTests {
    /// What comes out: every input accounted for once, and the same pictures as one by one.
    @Suite struct Output: BatchSuite {
        let folder: TemporaryDirectory

        init() throws { folder = try Self.clips() }

        @Test func everyInputIsAccountedForOnce() throws {
            var inputs = try links(300)
            let odd = [
                "in/a b.mp4", "in/new\nline.mp4", "in/50%.mp4", "in/-dash.mp4", "in/{stem}.mp4", "in/ü€😀.mp4",
                "in/'\".mp4",
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
                try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).count == inputs.count
                    - bad.count)
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
                    "batch", "--from-file", "-", "--keyframe", "--at", "0.3", "--size", "48", "-o",
                    "out/{dir}/{stem}.jpg",
                    "--json",
                ],
                input: Array(list.utf8), in: folder.path)
            // The lines of standard output wait in a pipe until they are asked for, and would hold up the batch.
            let peaks = Mutex<[Int: Int]>([:])
            let watch = Thread {
                while let memory = Self.memory(of: process.identifier) {
                    let made =
                        (try? FileManager.default.subpathsOfDirectory(atPath: self.folder.path("out")).count) ?? 0
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
                    inputs + options + ["-j", jobs, "-o", "\(name)/{stem}-{index}.jpg"] + (ordered ? ["--ordered"] : [])
                )
                #expect(result.exitCode == 0, "\(result.messages)")
                let paths = (0..<12).flatMap { video in (1...3).map { "\(name)/v\(video)-\($0).jpg" } }
                #expect((ordered ? result.lines : result.lines.sorted()) == (ordered ? paths : paths.sorted()))
            }
            let one = try ProcessRunner.run(
                SnapProcess.path, inputs + options + ["-o", "one/{stem}-{index}.jpg", "--threads", "1"], in: folder.path
            )
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
                try folder.files().filter { !$0.hasPrefix("clips/") } == [
                    "a-1.jpg", "a-2.jpg", "b.png", "c.jpg", "v.mp4",
                ])
            for phrase in ["'att' is not a key", "line 5: a job needs a source", "line 6: the line is not JSON"] {
                #expect(result.messages.contains(phrase), "\(phrase) in \(result.messages)")
            }
            #expect(result.messages.contains("2 done, 3 failed (3 usage)"))
        }

        /// A CR is part of a name only where there is such a file.
        @Test func aListMayBeFromWindows() throws {
            for path in ["a.mp4", "b.mp4", "b.mp4\r"] { try link("h264", path) }
            let list = "a.mp4\r\nb.mp4\r\n\r\nabsent.mp4\r\n"
            let result = try batch(
                ["--from-file", "-", "--at", "0", "-o", "out/{name}.jpg", "--ordered"], input: Array(list.utf8))
            #expect(result.exitCode == 3 && result.lines == ["out/a.mp4.jpg", "out/b.mp4\r.jpg"])
            #expect(result.messages.hasPrefix("snap: absent.mp4: no such file\n"), "\(result.messages)")
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

        @Test func norOneOfTheSameNameInOtherWords() throws {
            try link("h264", "x/v.mp4")
            try link("vp9", "y/w.mp4")
            symlink("out", folder.path("alias"))
            let other = ["out/../out/v.jpg", "\(folder.path)/out/v.jpg", "new/../out/v.jpg", "alias/v.jpg"]
            for (jobs, path) in zip(["1", "4", "1", "4"], other) {
                let lines = [("x/v.mp4", "out/v.jpg"), ("y/w.mp4", path)].map { source, output in
                    #"{"source":"\#(source)","output":"\#(output)","at":0.2}"#
                }
                let words = ["--manifest", "-", "-j", jobs, "--journal", "j-\(jobs)", "--resume"]
                let result = try batch(words, input: Array(lines.joined(separator: "\n").utf8))
                #expect(result.exitCode == 3, "\(path): \(result.messages)")
                #expect(result.messages.contains("y/w.mp4: \(path): is the name of another input's picture, too"))
            }
            let one = try SnapProcess.shell(
                "snap x/v.mp4 $PWD/x/v.mp4 --at 0.2 -o '{dir}/{stem}.jpg'", in: folder)
            #expect(one.exitCode == 64 && one.messages.contains("is the name of two pictures"), "\(one.messages)")
        }

        /// The first of two that have one name comes from a server that takes its time; the other is there at once.
        @Test(arguments: [
            (["--at", "0.2"], "v.jpg"), (["--at", "50%"], "v-{time}.jpg"), (["--count", "2"], "v-{index}.jpg"),
        ])
        func theFirstInTheListHasTheName(_ options: [String], _ name: String) throws {
            let clip = try Clip.vp9.bytes()
            let server = try LoopbackServer { path in
                usleep(300_000)
                return path == "/v.webm" ? LoopbackResource(clip) : nil
            }
            try folder.write(clip, to: "v.webm")
            for jobs in ["1", "4"] {
                let words =
                    options + [
                        "-j", jobs, "-o", "out\(jobs)/" + name.replacing("v", with: "{stem}", maxReplacements: 1),
                    ]
                let result = try batch([server.url("/v.webm"), "v.webm"] + words + ["--json"])
                let receipts = try receipts(result)
                #expect(result.exitCode == 3, "\(result.messages)")
                #expect(receipts.allSatisfy { ($0["index"] as? Int == 0) == ($0["status"] as? String == "ok") })
                #expect(result.messages.contains(": out\(jobs)/v"), "\(result.messages)")
            }
            // One that fails has no name.
            let other = try batch([server.url("/absent/v.webm"), "v.webm", "--at", "0.2", "-o", "other/{stem}.jpg"])
            #expect(other.exitCode == 3 && other.lines == ["other/v.jpg"], "\(other.messages)")
            withExtendedLifetime(server) {}
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
    }
}
