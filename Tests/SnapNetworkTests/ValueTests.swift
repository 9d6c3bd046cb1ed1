import Testing

@testable import SnapNetwork

/// What texts mean: addresses, URLs, ranges, heads.
@Suite struct ValueTests {
    @Test(
        arguments: [
            ("8.8.8.8", .global), ("2606:4700::1111", .global), ("::ffff:8.8.8.8", .global),
            ("64:ff9b::808:808", .global),
            ("2002:808:808::1", .global), ("127.0.0.1", .loopback), ("127.255.255.254", .loopback), ("::1", .loopback),
            ("::ffff:127.0.0.1", .loopback), ("64:ff9b::7f00:1", .loopback), ("2002:7f00:1::", .loopback),
            ("10.1.2.3", .privateNetwork), ("172.16.0.1", .privateNetwork), ("172.31.255.255", .privateNetwork),
            ("172.32.0.1", .global), ("192.168.0.1", .privateNetwork), ("100.64.0.1", .privateNetwork),
            ("100.128.0.1", .global), ("fd00::1", .privateNetwork), ("fec0::1", .privateNetwork),
            ("169.254.169.254", .linkLocal), ("fe80::1", .linkLocal), ("fe80::1%eth0", .linkLocal),
            ("224.0.0.1", .multicast), ("239.1.1.1", .multicast), ("ff02::1", .multicast), ("0.0.0.0", .loopback),
            ("::", .loopback), ("0.0.0.1", .reserved), ("255.255.255.255", .reserved), ("240.0.0.1", .reserved),
            ("198.18.0.1", .reserved),
            ("192.0.2.1", .reserved), ("203.0.113.9", .reserved), ("2001:db8::1", .reserved), ("2001::1", .reserved),
            ("::7f00:1", .reserved), ("64:ff9b:1::a00:1", .reserved), ("4000::1", .reserved),
        ] as [(String, IPAddress.Kind)])
    func `an address is of a kind`(text: String, kind: IPAddress.Kind) throws {
        #expect(try #require(IPAddress(text)).kind == kind)
    }

    @Test(arguments: ["", "example.com", "1.2.3", "127.1", "1.2.3.4.5", "::g", "[::1", "0x7f.0.0.1"])
    func `what is no address is none`(text: String) { #expect(IPAddress(text) == nil) }

    @Test(arguments: [
        ("http://127.0.0.1/", "::1", true), ("http://localhost/", "127.0.0.1", true),
        ("http://[::1]/", "127.0.0.1", true),
        ("http://a.localhost./", "::1", true), ("http://127.0.0.1/", "10.0.0.1", false),
        ("http://127.0.0.1/", "169.254.169.254", false), ("http://192.168.1.1/", "192.168.1.2", true),
        ("http://192.168.1.1/", "127.0.0.1", false), ("http://nas.local/", "192.168.1.2", false),
        ("http://notlocalhost/", "127.0.0.1", false), ("http://example.com/", "93.184.216.34", true),
        ("http://10.0.0.1/", "93.184.216.34", true), ("http://127.0.0.1.example.com/", "127.0.0.1", false),
        ("http://2130706433/", "127.0.0.1", true),
    ])
    func `a typed URL grants addresses of its own kind`(url: String, address: String, isAllowed: Bool) throws {
        let policy = try AddressPolicy(typed: HTTPURL(url), allowsEverything: false)
        #expect(policy.allows(try #require(IPAddress(address))) == isAllowed)
        #expect(try AddressPolicy(typed: HTTPURL(url), allowsEverything: true).allows(#require(IPAddress(address))))
    }

    @Test(
        arguments: [
            ("bytes 0-99/1000", 0..<100, 1000), ("BYTES  5-5/6", 5..<6, 6), ("bytes 0-99/*", 0..<100, nil),
            ("bytes */1000", nil, 1000),
        ] as [(String, Range<Int64>?, Int64?)])
    func `a Content-Range is read`(text: String, bytes: Range<Int64>?, size: Int64?) throws {
        let range = try #require(ContentRange(text))
        #expect(range.bytes == bytes)
        #expect(range.size == size)
    }

    @Test(arguments: [
        "", "bytes", "bytes 0-99", "bytes 9-5/10", "bytes 0-10/10", "items 0-1/2", "bytes -5-9/10", "bytes 0--9/10",
        "bytes 0-9/+10", "bytes 0-9223372036854775807/*", "bytes 0-9/10/11", "bytes 0-9, 20-29/100",
    ])
    func `what is no Content-Range is none`(text: String) { #expect(ContentRange(text) == nil) }

    @Test(arguments: [
        ("http://Host.Example:80/a/../b?c#d", "http://host.example/b?…"), ("HTTPS://u:p@host/", "https://host/"),
        ("http://host:8080", "http://host:8080/"), ("http://host/my video.mp4", "http://host/my%20video.mp4"),
        ("https://[::1]:443/x", "https://[::1]/x"),
    ])
    func `a URL is described without what may be secret`(text: String, description: String) throws {
        let url = try HTTPURL(text)
        #expect(url.description == description)
        #expect(!url.text.contains("@") && !url.text.contains("#"))
    }

    @Test(arguments: [
        "", "host/a", "/a", "http://", "ftp://host/a", "file:///a", "http://host:99999/", "http://ho st/",
        "http://a\nb/",
        "http://host/" + String(repeating: "x", count: 9000),
    ])
    func `what is no URL of http is refused`(text: String) {
        #expect(failure { _ = try HTTPURL(text) }?.code == .unsupportedURL)
    }

    @Test func `bytes of a URL that are no text are escaped as they were typed`() throws {
        #expect(try HTTPURL("http://host/a\u{10FFFF}é").text.lowercased() == "http://host/a%ff%c3%a9")
    }

    struct Versions: Sendable {
        var first: [String]
        var second: [String]
        var areSame: Bool
    }

    @Test(arguments: [
        Versions(first: [], second: [], areSame: true),
        Versions(first: ["ETag: a"], second: ["ETag: a"], areSame: true),
        Versions(first: ["ETag: a"], second: ["ETag: b"], areSame: false),
        Versions(first: ["ETag: a"], second: [], areSame: true),
        Versions(first: ["Last-Modified: a"], second: ["Last-Modified: b"], areSame: false),
        Versions(first: ["ETag: a", "Last-Modified: a"], second: ["ETag: a", "Last-Modified: b"], areSame: true),
    ])
    func `a tag, a time or a size tells that a resource has changed`(versions: Versions) {
        func head(_ lines: [String]) -> ResponseHead {
            var head = ResponseHead()
            for line in ["HTTP/1.1 200 OK"] + lines + [""] { _ = head.take(line: line + "\r\n") }
            return head
        }
        let (first, second) = (head(versions.first), head(versions.second))
        #expect(ResourceVersion(first, size: 5).matches(ResourceVersion(second, size: 5)) == versions.areSame)
        #expect(ResourceVersion(first, size: nil).matches(ResourceVersion(second, size: 5)) == versions.areSame)
        #expect(!ResourceVersion(first, size: 6).matches(ResourceVersion(second, size: 5)))
    }

    @Test func `nothing secret is printed by accident`() throws {
        var options = HTTPOptions()
        options.headers = [.init(name: "Authorization", value: "s3cret")]
        let url = try HTTPURL("http://user:s3cret@host/?key=s3cret")
        let request = HTTPRequest(url: url, range: nil, isForTypedOrigin: true, credentials: url.credentials)
        for text in ["\(options)", "\(url)", String(reflecting: url), "\(request)", String(reflecting: options)] {
            #expect(!text.contains("s3cret"))
        }
    }

    @Test func `interim responses and trailers are not the head`() {
        var head = ResponseHead()
        for line in [
            "HTTP/1.1 103 Early\r\n", "Content-Length: 1\r\n", "\r\n", "HTTP/2 200\r\n", "content-LENGTH:  7 \r\n",
            "\r\n",
        ] {
            let isTaken = head.take(line: line)
            #expect(isTaken)
        }
        #expect(head.isComplete)
        #expect(head.status == 200)
        #expect(head.contentLength == 7)
        _ = head.take(line: "Content-Encoding: gzip\r\n")
        #expect(head.isIdentity)
    }

    @Test(arguments: [
        ("Range", "bytes=0-"), ("accept-encoding", "gzip"), ("", "x"), ("A B", "x"), ("A:", "x"), ("A", "b\nc"),
        ("A", "b\u{7F}"),
    ])
    func `a header that can't be sent is an error`(name: String, value: String) {
        var options = HTTPOptions()
        options.headers = [.init(name: name, value: value)]
        #expect(failure { try options.checkHeaders() }?.code == .invalidHeader)
    }

    @Test func `a window grows with what is read in one go, to a quarter of it`() {
        var window = RangeWindow()
        var offset: Int64 = 5_000_000
        var lengths: [Int64] = []
        while offset < 30_000_000 {
            lengths.append(window.next(at: offset))
            offset += lengths[lengths.count - 1]
        }
        #expect(lengths.prefix(3) == [131_072, 262_144, 262_144])
        #expect(lengths.max() == 4_194_304)
        let fresh = window.next(at: 0)
        #expect(fresh == 131_072)
    }

    @Test(
        arguments: [
            // announced, sure, share, real size, the windows
            (1_000_000, true, 50, 1_000_000, [567_913, 70_989]),  // all at once, then little by little
            (1_000_000, false, 50, 1_000_000, [189_304, 378_609]),  // a third, for it may be three times too much
            (1_000_000, false, 50, 333_333, [189_304, 32_768]),
            (100_000, false, 50, 1_000_000, [67_850, 500_063]),  // the answer tells the real size
            (100_000, false, 50, 100_000, [67_850, 32_768]),  // not worth a second request
            (nil, false, 50, 1_000_000, [131_072, 436_841]),
            (1_000_000, false, 100, 1_000_000, [1_083_538, 135_442]),  // the end is the limit anyway
        ] as [(Int64?, Bool, Int64, Int64, [Int64])])
    func `a window fits the share that is expected, once the size is known`(
        announced: Int64?, isSure: Bool, share: Int64, size: Int64, windows: [Int64]
    ) {
        var window = RangeWindow(expected: ExpectedBytes(size: announced, isSizeSure: isSure, share: share))
        let first = window.next(at: 0)
        let second = window.next(at: first, of: 0..<size)
        #expect([first, second] == windows)
    }
}
