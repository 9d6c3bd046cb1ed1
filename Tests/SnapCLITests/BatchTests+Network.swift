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

        /// With eight at a time on two cores, they would take twice the processor's time that passes; and with the time
        /// for which they wait for each other, each would take longer than it may.
        @Test func noMoreAreDecodedAtATimeThanThereAreCores() throws {
            let clip = LoopbackResource(try Clip.h264.bytes())
            let server = try LoopbackServer { _ in clip }
            let urls = (0..<8).map { server.url("/v\($0).mp4") }.joined(separator: " ")
            let options = "-j 1 --network-jobs 8 --timeout 3s --at 0 --size 4000 --upscale -o 'out/{stem}.png'"
            let result = try SnapProcess.shell("TIMEFORMAT='%U %R'; time snap batch \(urls) \(options)", in: folder)
            #expect(result.lines.count == 8, "\(result.messages)")
            let times = try #require(result.messages.split(separator: "\n").last).split(separator: " ").map {
                Double($0)
            }
            let (spent, passed) = (try #require(times[0]), try #require(times[1]))
            #expect(spent < 1.4 * passed, "\(result.messages)")
            withExtendedLifetime(server) {}
        }
    }
}
