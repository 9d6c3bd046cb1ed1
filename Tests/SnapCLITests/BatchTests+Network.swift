import Foundation
import Synchronization
import TestSupport
import Testing

extension BatchTests {
    /// Inputs that come from servers.
    @Suite struct Network: BatchSuite {
        let folder: TemporaryDirectory

        init() throws { folder = try Self.clips() }

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

        /// With two dozen at a time on two cores, they would take twice the processor's time that passes; and with the time
        /// for which they wait for each other, each would take longer than it may.
        @Test func noMoreAreDecodedAtATimeThanThereAreCores() throws {
            let clip = LoopbackResource(try Clip.h264.bytes())
            let server = try LoopbackServer { _ in clip }
            let urls = (0..<24).map { server.url("/v\($0).mp4") }.joined(separator: " ")
            let options =
                "-j 1 --network-jobs 24 --per-host 24 --timeout 3s --at 0 --size 2500 --upscale -o 'out/{stem}.png'"
            let result = try SnapProcess.shell("TIMEFORMAT='%U %R'; time snap batch \(urls) \(options)", in: folder)
            #expect(result.lines.count == 24, "\(result.messages)")
            let times = try #require(result.messages.split(separator: "\n").last).split(separator: " ").map {
                Double($0)
            }
            let (spent, passed) = (try #require(times[0]), try #require(times[1]))
            #expect(spent < 1.4 * passed, "\(result.messages)")
            withExtendedLifetime(server) {}
        }

        /// Of six URLs, two have other bytes when the batch is taken up again; one says so by its tag, one by its
        /// length, and the rest say what they said.
        @Test func aURLIsDoneAgainWhenItsServerHasSomethingElse() throws {
            let clips = (old: LoopbackResource(try Clip.h264.bytes()), new: LoopbackResource(try Clip.vp9.bytes()))
            let isNew = Mutex(false)
            let server = try LoopbackServer { path in
                let isNew = isNew.withLock { $0 }
                let tag = { tag in { (resource: inout LoopbackResource) in resource.entityTags = [tag] } }
                let date = "Last-Modified: Wed, 21 Oct 2015 07:28:00 GMT"
                switch path {
                case "/tag.mp4": return clips.old.with(tag("\"a\""))
                case "/newtag.mp4": return clips.old.with(tag(isNew ? "\"b\"" : "\"a\""))
                case "/date.mp4": return clips.old.with { $0.fields = [date] }
                case "/newlength.mp4": return isNew ? clips.new : clips.old
                case "/length.mp4": return clips.old
                case "/silent.mp4":
                    return clips.old.with { ($0.acceptsRanges, $0.tellsLength) = (false, false) }
                default: return nil
                }
            }
            let urls = ["tag", "newtag", "date", "newlength", "length", "silent"].map { server.url("/\($0).mp4") }
            let words = urls + ["--at", "0.2", "-o", "out/{stem}.jpg", "--journal", "j", "--resume", "--json"]
            #expect(try batch(words).messages.contains("6 done in"))
            let before = try pictures(in: "out")
            let same = try batch(words)
            #expect(same.exitCode == 0 && same.messages.contains("0 done, 6 done before"), "\(same.messages)")
            let codes = try receipts(same).sorted { ($0["index"] as? Int ?? 0) < ($1["index"] as? Int ?? 0) }
            #expect(
                codes.map { $0["code"] as? String } == Array(repeating: "unchanged", count: 5) + ["done-before"])
            isNew.withLock { $0 = true }
            let some = try batch(words)
            #expect(some.messages.contains("2 done, 4 done before"), "\(some.messages)")
            let after = try pictures(in: "out")
            #expect(after["newlength.jpg"] != before["newlength.jpg"] && after["length.jpg"] == before["length.jpg"])
            #expect(try batch(words).messages.contains("0 done, 6 done before"))
            withExtendedLifetime(server) {}
        }

        @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/maps")))
        func theOneThatSupervisesLoadsNoNetworkLibrary() throws {
            let server = try LoopbackServer { _ in
                usleep(2_000_000)
                return nil
            }
            let process = try RunningProcess(
                SnapProcess.path, ["batch", server.url("/a.mp4"), "-o", "out/"], in: folder.path)
            let workers = try Self.awaitChildren(of: process.identifier)
            usleep(500_000)
            func maps(_ process: Int32) -> String {
                (try? String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)) ?? ""
            }
            let isShared = workers.contains { maps($0).contains("libcurl") }
            #expect(!maps(process.identifier).isEmpty && (!isShared || !maps(process.identifier).contains("libcurl")))
            #expect(process.wait(limit: 60).exitCode == 1)
            withExtendedLifetime(server) {}
        }
    }
}
