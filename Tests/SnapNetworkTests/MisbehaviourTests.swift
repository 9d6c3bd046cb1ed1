import SnapBase
import SnapNetwork
import TestSupport
import Testing

/// Servers that get it wrong: what is read all the same, and what the error is where it can't be.
@Suite struct MisbehaviourTests {
    static let size: Int64 = 1_000_000
    static let good = LoopbackResource.pattern(size: size)

    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let resource: LoopbackResource
        var testDescription: String { name }
    }

    // MARK: Read all the same

    @Test(arguments: [
        Case(name: "no ranges", resource: good.with { $0.acceptsRanges = false }),
        Case(
            name: "no ranges, chunked",
            resource: good.with {
                $0.acceptsRanges = false
                $0.isChunked = true
            }),
        Case(
            name: "no ranges, no length",
            resource: good.with {
                $0.acceptsRanges = false
                $0.tellsLength = false
            }),
        Case(name: "parts smaller than asked for", resource: good.with { $0.largestRange = 50_000 }),
        Case(name: "chunked parts", resource: good.with { $0.isChunked = true }),
        Case(name: "parts that end with the connection", resource: good.with { $0.tellsLength = false }),
        Case(
            name: "cut twice",
            resource: good.with {
                $0.cutAfter = 40_000
                $0.cuts = 2
            }),
        Case(
            name: "cut without ranges",
            resource: good.with {
                $0.acceptsRanges = false
                $0.cutAfter = 400_000
                $0.cuts = 1
            }),
        Case(
            name: "busy twice",
            resource: good.with {
                $0.statuses = [503, 429]
                $0.sideBody = 2_000
            }),
        Case(name: "slow to answer", resource: good.with { $0.delay = .milliseconds(20) }),
        Case(name: "a weak tag", resource: good.with { $0.entityTags = ["W/\"1\""] }),
    ])
    func `every byte arrives, in its place`(server behaviour: Case) throws {
        let server = try LoopbackServer(["/a": behaviour.resource])
        let source = try open(server.url("/a"))
        #expect(try source.bytes(0..<Self.size + 1) == pattern(0..<Self.size))
        #expect(source.size() == Self.size)
        #expect(source.statistics.requests == server.log.count)
        #expect(source.statistics.connections == server.connections)
        #expect(try source.bytes(70_000..<170_000) == pattern(70_000..<170_000))
    }

    @Test func `a cut body goes on where it stopped`() throws {
        let server = try LoopbackServer([
            "/a": Self.good.with {
                $0.cutAfter = 40_000
                $0.cuts = 1
            }
        ])
        let source = try open(server.url("/a"))
        #expect(try source.bytes(0..<100_000) == pattern(0..<100_000))
        #expect(server.log.map(\.range).prefix(2) == ["bytes=0-131071", "bytes=40000-171071"])
    }

    @Test func `passing failures keep the connection`() throws {
        let server = try LoopbackServer([
            "/a": Self.good.with {
                $0.statuses = [503, 408]
                $0.sideBody = 5_000
            }
        ])
        _ = try open(server.url("/a")).bytes(0..<100)
        #expect(server.log.count == 3)
        #expect(server.connections == 1)
    }

    // MARK: Without ranges

    @Test func `without ranges, reading is forward, and the receipt says so`() throws {
        let server = try LoopbackServer(["/a": .pattern(size: 20_000_000).with { $0.acceptsRanges = false }])
        let source = try open(server.url("/a"))
        #expect(!source.isSeekable)
        #expect(try source.bytes(15_000_000..<15_000_100) == pattern(15_000_000..<15_000_100))
        #expect(source.statistics.notes == ["the server has no byte ranges: read from the first byte on"])
        #expect(server.log.count == 1)
        #expect(try source.bytes(100..<200) == pattern(100..<200))
        #expect(server.log.count == 2)
        #expect(
            source.statistics.notes.last == "started over from the first byte, because the server has no byte ranges")
    }

    @Test func `without ranges, what is small enough to keep is as good as with them`() throws {
        let server = try LoopbackServer(["/a": Self.good.with { $0.acceptsRanges = false }])
        let source = try open(server.url("/a"))
        #expect(source.isSeekable)
        #expect(source.statistics.notes.isEmpty)
        for range in [900_000..<900_100, 0..<100, 500_000..<600_000] as [Range<Int64>] {
            #expect(try source.bytes(range) == pattern(range))
        }
        #expect(server.log.count == 1)
    }

    @Test(arguments: [true, false])
    func `the byte limit holds`(acceptsRanges: Bool) throws {
        let server = try LoopbackServer(["/a": Self.good.with { $0.acceptsRanges = acceptsRanges }])
        var options = HTTPOptions.quick
        options.maximumBytes = 300_000
        let source = try open(server.url("/a"), options: options)
        #expect(try source.bytes(0..<200_000) == pattern(0..<200_000))
        let error = failure { _ = try source.bytes(200_000..<900_000) }
        #expect(error?.code == .tooManyBytes)
        #expect(error?.message.contains("300000 bytes") == true)
        if acceptsRanges { #expect(server.bytesSent == 300_000) }
    }

    // MARK: Errors

    @Test(arguments: [
        (NetworkError.Code.httpStatus(404), good.with { $0.statuses = [404] }),
        (
            .httpStatus(403),
            good.with {
                $0.statuses = [403]
                $0.sideBody = 100_000
            }
        ),
        (.httpStatus(503), good.with { $0.statuses = [503, 503, 503, 503] }),
        (.malformedResponse, good.with { $0.contentRange = "bytes 5-131076/1000000" }),
        (.malformedResponse, good.with { $0.contentRange = "bytes 0-999999/1000000" }),
        (.malformedResponse, good.with { $0.contentRange = "bytes 0-131071/100" }),
        (.malformedResponse, good.with { $0.contentRange = "bytes 0-99999999999999999999/*" }),
        (.malformedResponse, good.with { $0.contentRange = "nonsense" }),
        (.malformedResponse, good.with { $0.contentRange = "" }),
        (.malformedResponse, good.with { $0.contentLength = "77" }),
        (.malformedResponse, good.with { $0.fields = ["Content-Encoding: gzip"] }),
        (
            .malformedResponse,
            good.with {
                $0.acceptsRanges = false
                $0.fields = ["Content-Encoding: br"]
            }
        ),
        (
            .malformedResponse,
            good.with {
                $0.isChunked = true
                $0.contentRange = "bytes 0-99/1000000"
            }
        ),
        (
            .malformedResponse,
            good.with {
                $0.isChunked = true
                $0.largestRange = 99
                $0.contentRange = "bytes 0-131071/*"
            }
        ),
        (.malformedResponse, good.with { $0.fields = ["X: " + String(repeating: "x", count: 70_000)] }),
        (.changed, good.with { $0.entityTags = ["\"1\"", "\"2\""] }),
        (.connectionLost, good.with { $0.cutAfter = 0 }),
    ])
    func `the error says what is wrong`(code: NetworkError.Code, resource: LoopbackResource) throws {
        let server = try LoopbackServer(["/a": resource])
        let error = failure { _ = try open(server.url("/a")).bytes(0..<Self.size) }
        #expect(error?.code == code)
        #expect(error?.message.hasPrefix("http://127.0.0.1:\(server.port)/a: ") == true)
    }

    @Test func `a server that went away can't be connected to`() throws {
        let server = try LoopbackServer(["/a": Self.good])
        let source = try open(server.url("/a"))
        server.stop()
        let error = failure { _ = try source.bytes(500_000..<600_000) }
        #expect(error?.code == .couldNotConnect)
        #expect(error?.message.contains("port \(server.port)") == true)
    }

    @Test func `failures are tried three times, and the error says so`() throws {
        let server = try LoopbackServer(["/a": Self.good.with { $0.statuses = [500, 502, 504, 500] }])
        let error = failure { _ = try open(server.url("/a")) }
        #expect(server.log.count == 3)
        #expect(error?.code == .httpStatus(504))
        #expect(error?.message.hasSuffix("(tried 3 times)") == true)
    }

    @Test func `a server that asks for a later time gets it`() throws {
        let server = try LoopbackServer([
            "/a": Self.good.with {
                $0.statuses = [503]
                $0.retryAfter = "1"
            }
        ])
        let start = ContinuousClock.now
        _ = try open(server.url("/a"))
        #expect(ContinuousClock.now - start >= .milliseconds(990))
    }

    @Test func `a server that asks for a time after the deadline is not awaited`() throws {
        let server = try LoopbackServer([
            "/a": Self.good.with {
                $0.statuses = [503]
                $0.retryAfter = "60"
            }
        ])
        let error = failure { _ = try open(server.url("/a"), interrupt: Interrupt(deadline: .now + .seconds(10))) }
        #expect(error?.code == .httpStatus(503))
        #expect(server.log.count == 1)
    }
}
