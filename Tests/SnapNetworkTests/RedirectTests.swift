import SnapBase
import SnapNetwork
import TestSupport
import Testing

/// Redirects, what goes along with them, and where they must not lead.
@Suite struct RedirectTests {
    static let good = LoopbackResource.pattern(size: 1_000_000)

    static let secrets: HTTPOptions = {
        var options = HTTPOptions.quick
        options.headers = [
            .init(name: "Authorization", value: "Bearer s3cret"), .init(name: "Cookie", value: "id=s3cret"),
            .init(name: "X-Empty", value: ""),
        ]
        return options
    }()

    @Test func `later ranges go straight to where the redirect led`() throws {
        let server = try LoopbackServer([
            "/a": .redirect(to: "b/c"), "/b/c": .redirect(to: "/d").with { $0.sideBody = 3_000 }, "/d": Self.good,
        ])
        let source = try open(server.url("/a"))
        #expect(try source.bytes(0..<1_000_000) == pattern(0..<1_000_000))
        #expect(server.log.map(\.path).prefix(4) == ["/a", "/b/c", "/d", "/d"])
        #expect(server.log.dropFirst(2).allSatisfy { $0.path == "/d" })
        #expect(server.connections == 1)
        #expect(source.url.description == server.url("/d"))
        #expect(source.statistics.requests == server.log.count)
    }

    @Test func `five redirects are followed, six are not`() throws {
        var resources = ["/0": Self.good]
        for step in 1...6 { resources["/\(step)"] = .redirect(to: "/\(step - 1)") }
        let server = try LoopbackServer(resources)
        #expect(try open(server.url("/5")).bytes(0..<10) == pattern(0..<10))
        let error = failure { _ = try open(server.url("/6")) }
        #expect(error?.code == .tooManyRedirects)
        #expect(server.log.count == 12)
    }

    @Test func `headers and passwords go to the typed origin`() throws {
        let server = try LoopbackServer(["/a": .redirect(to: "/b"), "/b": Self.good])
        _ = try open(server.url("/a"), options: Self.secrets)
        #expect(
            server.log.allSatisfy {
                $0.headers["authorization"] == "Bearer s3cret" && $0.headers["cookie"] == "id=s3cret"
            })
        #expect(server.log.allSatisfy { $0.headers["x-empty"] == "" })
        let other = try LoopbackServer(["/a": .redirect(to: "/b"), "/b": Self.good])
        _ = try open(other.url("/a", user: "user:p%40ss@"))
        #expect(other.log.map { $0.headers["authorization"] } == ["Basic dXNlcjpwQHNz", "Basic dXNlcjpwQHNz"])
    }

    @Test(arguments: ["127.0.0.1", "127.0.0.2", "::1"])
    func `headers and passwords go to no other origin, and not back from there`(address: String) throws {
        let target = try LoopbackServer(address: address, ["/b": Self.good])
        let server = try LoopbackServer(["/a": .redirect(to: target.url("/b", user: "evil:evil@"))])
        for (user, options) in [("", Self.secrets), ("user:s3cret@", .quick)] {
            let source = try open(server.url("/a", user: user), options: options)
            _ = try source.bytes(0..<500_000)
            #expect(source.url.description == target.url("/b"))
        }
        #expect(target.log.count >= 4)
        for exchange in target.log {
            #expect(exchange.headers["authorization"] == nil)
            #expect(exchange.headers["cookie"] == nil)
            #expect(exchange.headers["x-empty"] == nil)
        }
        let home = try LoopbackServer(["/c": Self.good])
        let away = try LoopbackServer(["/a": .redirect(to: home.url("/c"))])
        _ = try open(away.url("/a"), typed: home.url("/list"), options: Self.secrets)
        #expect(home.log.count == 1)
        #expect(home.log.first?.headers["authorization"] == nil)
    }

    @Test func `what a typed playlist names gets its headers, on the same origin only`() throws {
        let server = try LoopbackServer(["/segment": Self.good])
        let other = try LoopbackServer(["/segment": Self.good])
        _ = try open(server.url("/segment"), typed: server.url("/list", user: "u:p@"))
        _ = try open(other.url("/segment"), typed: server.url("/list", user: "u:p@"))
        #expect(server.log.first?.headers["authorization"] == "Basic dTpw")
        #expect(other.log.first?.headers["authorization"] == nil)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/a", "gopher://127.0.0.1/", "http://", "https:///"])
    func `redirects lead to http and https only`(target: String) throws {
        let server = try LoopbackServer(["/a": .redirect(to: target)])
        #expect(failure { _ = try open(server.url("/a")) }?.code == .refusedRedirect)
        #expect(server.log.count == 1)
    }

    @Test(arguments: [
        "http://10.0.0.1/", "http://192.168.1.1/", "http://169.254.169.254/latest", "http://[fe80::1]/",
        "http://0.0.0.1/",
        "http://[::ffff:10.0.0.1]/", "http://[64:ff9b::a00:1]/", "http://100.64.0.1/", "http://224.0.0.1/",
        "http://167772161/",
    ])
    func `a redirect into another kind of network is refused before anything is sent`(target: String) throws {
        let server = try LoopbackServer(["/a": .redirect(to: target)])
        let error = failure { _ = try open(server.url("/a")) }
        #expect(error?.code == .refusedAddress)
        #expect(server.log.count == 1)
    }

    @Test func `what a public URL names may not lead to this machine, by address or by name`() throws {
        let server = try LoopbackServer(["/a": Self.good])
        for url in [server.url("/a"), "http://localhost:\(server.port)/a"] {
            let error = failure { _ = try open(url, typed: "https://example.com/list.m3u8") }
            #expect(error?.code == .refusedAddress)
        }
        #expect(server.connections == 0)
        var options = HTTPOptions.quick
        options.allowsPrivateAddresses = true
        #expect(
            try open(server.url("/a"), typed: "https://example.com/", options: options).bytes(0..<9) == pattern(0..<9))
    }

    @Test func `an open connection is no way around the address policy`() throws {
        let server = try LoopbackServer(["/a": Self.good])
        let session = try HTTPSession()
        _ = try HTTPByteSource(HTTPURL(server.url("/a")), session: session, interrupt: Interrupt()).bytes(0..<131_072)
        let error = failure {
            _ = try HTTPByteSource(
                HTTPURL(server.url("/a")), typed: HTTPURL("https://example.com/"), session: session,
                interrupt: Interrupt())
        }
        #expect(error?.code == .refusedAddress)
        #expect(server.log.count == 1)
    }

    @Test func `no error holds a secret`() throws {
        let server = try LoopbackServer(["/a": .redirect(to: "http://u:s3cret@10.0.0.1/x?key=s3cret")])
        var errors = [
            failure { _ = try open(server.url("/missing?key=s3cret", user: "u:s3cret@"), options: Self.secrets) },
            failure { _ = try open(server.url("/a?key=s3cret", user: "u:s3cret@"), options: Self.secrets) },
            failure { _ = try open("ftp://u:s3cret@host/?key=s3cret") },
            failure { _ = try open("http://u:s3cret@ho st:99999/?key=s3cret") },
        ]
        for value in ["s3cret\r\nX: y", "s3cret\0"] {
            var options = HTTPOptions.quick
            options.headers = [.init(name: "Authorization", value: value)]
            errors.append(failure { _ = try open(server.url("/a"), options: options) })
        }
        for error in errors {
            let message = try #require(error).message
            #expect(!message.contains("s3cret"))
        }
        #expect(errors.suffix(2).allSatisfy { $0?.code == .invalidHeader })
    }

    @Test func `TLS is asked for by https, and its failure has a code`() throws {
        let server = try LoopbackServer(["/a": Self.good])
        let error = failure { _ = try open("https://127.0.0.1:\(server.port)/a") }
        #expect(error?.code == .tls)
    }
}
