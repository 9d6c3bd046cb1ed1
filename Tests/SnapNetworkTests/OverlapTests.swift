import SnapBase
import SnapNetwork
import TestSupport
import Testing

/// Requests that are sent before anybody waits for their answers.
@Suite struct OverlapTests {
    @Test func `with HTTP 2, requests to a server share its connection at the same time`() throws {
        let files = Dictionary(uniqueKeysWithValues: (0..<4).map { ("\($0)", pattern(0..<Int64(50_000 + $0))) })
        for isHTTP2 in [true, false] {
            let server = try NginxServer(files, isHTTP2: isHTTP2)
            var options = HTTPOptions.quick
            options.certificateFile = server.authorityFile
            let session = try HTTPSession()
            func source(_ name: String, waits: Bool) throws -> HTTPByteSource {
                try HTTPByteSource(
                    HTTPURL(server.url("/" + name)), session: session, options: options, interrupt: Interrupt(),
                    waits: waits)
            }
            let first = try source("0", waits: true)
            #expect(session.multiplexes(first.url.origin) == isHTTP2)
            #expect(try first.bytes(0..<60_000).count == 50_000)
            guard isHTTP2 else { continue }
            let sources = try (1..<4).map { try source("\($0)", waits: false) }
            // All of the answers arrive while the last one is waited for.
            for (index, source) in sources.enumerated().reversed() {
                #expect(try source.bytes(0..<60_000) == pattern(0..<Int64(50_001 + index)))
                #expect(source.statistics.requests == 1 && source.statistics.connections == 0)
            }
            let exchanges = try server.end(afterAnswers: 4)
            #expect(exchanges.map(\.path).sorted() == ["/0", "/1", "/2", "/3"])
            #expect(Set(exchanges.map(\.connection)).count == 1)
        }
    }

    @Test func `a source that doesn't wait fails where it is read, and is tried again there`() throws {
        let server = try LoopbackServer([
            "/a": .pattern(size: 5_000).with { $0.statuses = [503] }, "/b": .redirect(to: "/a"),
        ])
        let session = try HTTPSession()
        func source(_ path: String) throws -> HTTPByteSource {
            try HTTPByteSource(
                HTTPURL(server.url(path)), session: session, options: .quick, interrupt: Interrupt(), waits: false)
        }
        let missing = try source("/missing")
        #expect(failure { _ = try missing.bytes(0..<10) }?.code == .httpStatus(404))
        let moved = try source("/b")
        #expect(try moved.bytes(0..<6_000) == pattern(0..<5_000))
        #expect(moved.statistics.requests == 3)
        #expect(server.log.map(\.path) == ["/missing", "/b", "/a", "/a"])
    }

    @Test func `a source that is given up before its answer came counts what it did, and hinders no other`() throws {
        let server = try LoopbackServer(["/a": .pattern(size: 5_000).with { $0.delay = .milliseconds(100) }])
        let session = try HTTPSession()
        let url = try HTTPURL(server.url("/a"))
        let given = try HTTPByteSource(url, session: session, interrupt: Interrupt(), waits: false)
        let other = try HTTPByteSource(url, session: session, interrupt: Interrupt())
        try given.leave()
        #expect(given.statistics.requests == 1 && given.statistics.connections == 1)
        #expect(try other.bytes(0..<6_000) == pattern(0..<5_000))
        #expect(server.log.count == 2)
    }
}
