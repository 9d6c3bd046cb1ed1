import SnapBase
import SnapNetwork
import TestSupport
import Testing

/// Cookies: where they go back to, and where they must not go.
@Suite struct CookieTests {
    static let good = LoopbackResource.pattern(size: 5_000)

    private func read(
        _ url: String, typed: String? = nil, in session: HTTPSession, _ options: HTTPOptions = .quick
    ) throws {
        _ = try HTTPByteSource(
            HTTPURL(url), typed: typed.map { try HTTPURL($0) }, session: session, options: options,
            interrupt: Interrupt()
        ).bytes(0..<5_000)
    }

    private func setting(_ cookies: String...) -> LoopbackResource {
        Self.good.with { $0.fields = cookies.map { "Set-Cookie: \($0)" } }
    }

    @Test func `a cookie goes back to the server that set it, by its path, and ends with the session`() throws {
        let server = try LoopbackServer([
            "/list": setting("pass=s3cret; Path=/", "part=a; Path=/a"), "/a/1": Self.good, "/b/1": Self.good,
        ])
        let session = try HTTPSession()
        for path in ["/list", "/a/1", "/b/1"] { try read(server.url(path), in: session) }
        #expect(server.log.map { $0.headers["cookie"] } == [nil, "part=a; pass=s3cret", "pass=s3cret"])
        #expect(server.connections == 1)
        try read(server.url("/a/1"), in: HTTPSession())
        #expect(server.log.last?.headers["cookie"] == nil)
    }

    @Test func `a redirect's cookie is there for what it leads to`() throws {
        let server = try LoopbackServer([
            "/a": .redirect(to: "/b").with { $0.fields = ["Set-Cookie: pass=s3cret"] },
            "/b": Self.good.with { $0.neededCookie = "pass=s3cret" },
        ])
        try read(server.url("/a"), in: HTTPSession())
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func `another origin gets no cookie, whatever its rules would allow`(host: String) throws {
        let other = try LoopbackServer(["/a": setting("theirs=1; Path=/")])
        let otherURL = "http://\(host):\(other.port)/a"
        let server = try LoopbackServer([
            "/list": setting("pass=s3cret; Path=/; Domain=\(host)", "mine=s3cret"), "/away": .redirect(to: otherURL),
            "/end": Self.good,
        ])
        let session = try HTTPSession()
        for url in [server.url("/list"), server.url("/away"), otherURL, server.url("/end")] {
            try read(url, typed: server.url("/list"), in: session)
        }
        #expect(other.log.map { $0.headers["cookie"] } == [nil, "theirs=1"])
        #expect(server.log.last?.headers["cookie"]?.contains("mine=s3cret") == true)
        #expect(server.log.allSatisfy { $0.headers["cookie"]?.contains("theirs") != true })
    }

    @Test func `a cookie that the user gives goes along, in the same header, to the typed origin`() throws {
        let other = try LoopbackServer(["/a": Self.good])
        let server = try LoopbackServer(["/list": setting("theirs=1; Path=/"), "/a": Self.good])
        var options = HTTPOptions.quick
        options.headers = [.init(name: "cookie", value: "mine=s3cret"), .init(name: "Cookie", value: "more=2")]
        let session = try HTTPSession()
        for url in [server.url("/list"), server.url("/a"), other.url("/a")] {
            try read(url, typed: server.url("/list"), in: session, options)
        }
        #expect(server.log.map { $0.headers["cookie"] } == ["mine=s3cret; more=2", "theirs=1; mine=s3cret; more=2"])
        #expect(other.log.map { $0.headers["cookie"] } == [nil])
    }

    @Test func `no error holds a cookie`() throws {
        let server = try LoopbackServer([
            "/list": setting("pass=s3cret; Path=/"), "/a": .status(403),
            "/long": setting("pass=" + String(repeating: "s3cret", count: 20_000)),
            "/cut": Self.good.with { $0.cutAfter = 0 },
        ])
        let session = try HTTPSession()
        try read(server.url("/list"), in: session)
        for path in ["/a", "/long", "/cut", "/missing"] {
            let error = failure { try read(server.url(path), in: session) }
            #expect(try #require(error).message.contains("s3cret") == false)
        }
        #expect(server.log.count > 4 && server.log.dropFirst().allSatisfy { $0.headers["cookie"] == "pass=s3cret" })
    }
}
