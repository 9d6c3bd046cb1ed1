import Foundation
import Snap
import SnapBase
import Synchronization
import TestSupport
import Testing

/// Keys, initialization sections and segments are asked for together where that costs no connection.
@Suite("Overlapping requests")
struct StreamOverlapTests {
    /// An encrypted stream whose keys another server has.
    private struct Parted {
        let stream: StreamCase
        let server: LoopbackServer
        let keyServer: LoopbackServer
        private let watch: Watch

        final class Watch: Sendable {
            let server = Mutex<LoopbackServer?>(nil)
            let found = Mutex(false)

            /// Waits for a request for a segment, for a while.
            func wait() {
                let deadline = ContinuousClock.now + Patience.atMost(.seconds(3))
                while ContinuousClock.now < deadline {
                    let log = server.withLock { $0?.log ?? [] }
                    if log.contains(where: { $0.path.contains("/seg") }) { return found.withLock { $0 = true } }
                    usleep(2_000)
                }
            }
        }

        /// - Parameter key: Changes the answer for a key, by how many were asked for before.
        init(
            _ container: String, key change: @escaping @Sendable (inout LoopbackResource, Int) -> Void = { _, _ in }
        ) throws {
            let entry = try #require(StreamCase.matrix.first { $0.description == "\(container) aes-128 muxed plain" })
            let stream = try entry.make()
            let (watch, count) = (Watch(), Counter())
            let keyServer = try LoopbackServer { path in
                watch.wait()
                return stream.resources["/stream" + path]?.with { change(&$0, count.next()) }
            }
            var resources = stream.resources
            let list = String(decoding: try #require(stream.files[stream.entry]), as: UTF8.self)
                .split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.replacing("URI=\"key", with: "URI=\"\(keyServer.url("/key"))") }
            resources["/stream/" + stream.entry] = LoopbackResource(Array(list.joined(separator: "\n").utf8))
            let server = try LoopbackServer(resources)
            watch.server.withLock { $0 = server }
            (self.stream, self.server, self.keyServer, self.watch) = (stream, server, keyServer, watch)
        }

        /// Whether the segment was asked for before the key was given.
        var sawSegment: Bool { watch.found.withLock { $0 } }

        var url: String { server.url("/stream/" + stream.entry) }
    }

    private final class Counter: Sendable {
        private let value = Mutex(0)
        func next() -> Int {
            value.withLock {
                $0 += 1
                return $0 - 1
            }
        }
    }

    @Test("A key on another server is awaited together with the segment", arguments: ["ts", "fmp4"])
    func key(_ container: String) throws {
        let parted = try Parted(container)
        let time = MediaTime(seconds: 5)
        let taken = try snapshot(of: .url(parted.url), at: .time(time))
        let number = FrameNumberPattern.number(in: taken.picture.rgb)
        #expect(number.map(StreamCase.Answer.frame) == parted.stream.answer(at: time))
        #expect(parted.sawSegment)
        let paths = parted.server.log.map(\.path)
        #expect(paths.count == (container == "ts" ? 2 : 3) && Set(paths).count == paths.count, "\(paths)")
        #expect(parted.keyServer.log.count == 1)
        #expect(parted.server.connections == 1 && parted.keyServer.connections == 1)
        let reading = taken.receipt.reading
        #expect(reading.requests == paths.count + 1 && reading.connections == 2)
    }

    @Test("On one server without HTTP/2, the segment waits for the key, and one connection is enough")
    func oneServer() throws {
        let entry = try #require(StreamCase.matrix.first { $0.description == "ts aes-128 muxed plain" })
        let stream = try entry.make()
        var resources = stream.resources
        for path in resources.keys where path.contains("key") {
            resources[path] = resources[path]?.with { $0.delay = .milliseconds(50) }
        }
        let server = try LoopbackServer(resources)
        let taken = try snapshot(of: .url(server.url("/stream/" + stream.entry)), at: .seconds(5))
        #expect(taken.receipt.status == .ok && server.connections == 1)
        #expect(server.log.map(\.path).last?.contains("/seg") == true && server.log.count == 3)
    }

    @Test("A key that is refused is the error that it was, and what was asked with it does no harm")
    func refusedKey() throws {
        let parted = try Parted("ts") { resource, count in if count == 0 { resource.statuses = [403] } }
        let reader = try VideoReader(.url(parted.url), options: .oneThread, interrupt: Interrupt())
        let moment = try reader.moment(.seconds(5))
        do throws(SnapError) {
            _ = try reader.snapshot(at: moment, options: SnapshotOptions())
            Issue.record("a picture without a key")
        } catch {
            #expect(error.code == .network && error.httpStatus == 403)
            #expect(error.message.contains("/key"))
        }
        let taken = try reader.snapshot(at: moment, options: SnapshotOptions())
        let number = FrameNumberPattern.number(in: taken.picture.rgb)
        #expect(number.map(StreamCase.Answer.frame) == parted.stream.answer(at: MediaTime(seconds: 5)))
        let reading = taken.receipt.reading
        #expect(reading.requests == parted.server.log.count + parted.keyServer.log.count)
        #expect(reading.connections == parted.server.connections + parted.keyServer.connections)
    }

    @Test("A key that never comes ends at the deadline, with the segment on its way")
    func lateKey() throws {
        let parted = try Parted("ts") { resource, _ in resource.stallAfter = 0 }
        let start = ContinuousClock.now
        let error = failure(of: .url(parted.url), at: .seconds(5), opening: .oneThread(timeout: .seconds(2)))
        #expect(error?.code == .timedOut && ContinuousClock.now - start < Patience.atMost(.seconds(5)))
        #expect(parted.sawSegment)
    }
}
