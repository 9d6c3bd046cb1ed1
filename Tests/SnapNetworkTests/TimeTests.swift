import Foundation
import SnapBase
import SnapNetwork
import TestSupport
import Testing

/// Time limits, and being stopped.
@Suite(.serialized) struct TimeTests {
    static let good = LoopbackResource.pattern(size: 1_000_000)

    static func options(_ change: (inout HTTPOptions) -> Void) -> HTTPOptions {
        var options = HTTPOptions.quick
        options.retryDelays = []
        change(&options)
        return options
    }

    @Test func `a server that doesn't answer times out`() throws {
        let server = try LoopbackServer(["/a": Self.good.with { $0.delay = .seconds(20) }])
        let start = ContinuousClock.now
        let error = failure {
            _ = try open(server.url("/a"), options: Self.options { $0.firstByteTimeout = .milliseconds(150) })
        }
        #expect(error?.code == .timedOut(.firstByte))
        #expect(error?.message.hasSuffix("no answer within 0.15 s") == true)
        #expect(ContinuousClock.now - start < .seconds(1))
    }

    @Test func `a body that stalls times out, after what it gave`() throws {
        let server = try LoopbackServer(["/a": Self.good.with { $0.stallAfter = 50_000 }])
        let source = try open(server.url("/a"), options: Self.options { $0.idleTimeout = .milliseconds(150) })
        #expect(try source.bytes(0..<50_000) == pattern(0..<50_000))
        #expect(failure { _ = try source.bytes(50_000..<50_001) }?.code == .timedOut(.idle))
    }

    @Test func `a slow body is no stalled one`() throws {
        let server = try LoopbackServer([
            "/a": LoopbackResource.pattern(size: 6_000).with { $0.drip = .milliseconds(50) }
        ])
        let source = try open(server.url("/a"), options: Self.options { $0.idleTimeout = .milliseconds(250) })
        #expect(try source.bytes(0..<6_000) == pattern(0..<6_000))
    }

    @Test func `a stall is tried again`() throws {
        let server = try LoopbackServer(["/a": Self.good.with { $0.stallAfter = 50_000 }])
        let options = Self.options {
            $0.idleTimeout = .milliseconds(100)
            $0.retryDelays = [.milliseconds(1), .milliseconds(1)]
        }
        #expect(try open(server.url("/a"), options: options).bytes(0..<150_000) == pattern(0..<150_000))
    }

    @Test(arguments: [(Int.max, 3), (1, 2), (0, 1)])
    func `a server that hangs is asked again as often as wanted`(_ most: Int, _ times: Int) throws {
        let server = try LoopbackServer(["/a": Self.good.with { $0.delay = .seconds(20) }])
        let options = Self.options {
            $0.firstByteTimeout = .milliseconds(100)
            $0.retryDelays = [.milliseconds(1), .milliseconds(1)]
            $0.mostRetriesOfTimeouts = most
        }
        let error = failure { _ = try open(server.url("/a"), options: options) }
        #expect(error?.message.contains(times == 1 ? "no answer within 0.1 s" : "tried \(times) times") == true)
    }

    @Test func `time between two reads is nobody's stall`() throws {
        let server = try LoopbackServer(["/a": .pattern(size: 9_000_000).with { $0.acceptsRanges = false }])
        let source = try open(server.url("/a"), options: Self.options { $0.idleTimeout = .milliseconds(100) })
        _ = try source.bytes(0..<10)
        usleep(300_000)
        #expect(try source.bytes(0..<9_000_000) == pattern(0..<9_000_000))
    }

    @Test(arguments: [
        good.with { $0.delay = .seconds(20) },
        good.with { $0.stallAfter = 10 },
        good.with {
            $0.statuses = [503]
            $0.retryAfter = "20"
        },
    ])
    func `cancelling from another thread stops a wait at once`(resource: LoopbackResource) async throws {
        let server = try LoopbackServer(["/a": resource])
        let interrupt = Interrupt()
        let reading = Task.detached { () -> ContinuousClock.Instant in
            #expect(throws: Interrupted(reason: .cancelled)) {
                _ = try open(server.url("/a"), interrupt: interrupt).bytes(0..<100)
            }
            return .now
        }
        try await Task.sleep(for: .milliseconds(150))
        let start = ContinuousClock.now
        interrupt.cancel()
        #expect(await reading.value - start < .milliseconds(300))
    }

    @Test func `the deadline of all the work stops a wait`() throws {
        let server = try LoopbackServer(["/a": Self.good.with { $0.stallAfter = 10 }])
        #expect(throws: Interrupted(reason: .timedOut)) {
            let interrupt = Interrupt(deadline: .now + .milliseconds(150))
            _ = try open(server.url("/a"), interrupt: interrupt).bytes(0..<100)
        }
    }
}
