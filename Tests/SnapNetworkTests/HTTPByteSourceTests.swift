import SnapBase
import SnapNetwork
import TestSupport
import Testing

/// What a source asks for, and how little.
@Suite struct HTTPByteSourceTests {
    static let size: Int64 = 3_000_000
    static let ranged = LoopbackResource.pattern(size: size)

    @Test func `a resource is read whole, on one connection`() throws {
        let server = try LoopbackServer(["/a": Self.ranged])
        let source = try open(server.url("/a"))
        #expect(try source.bytes(0..<4_000_000) == pattern(0..<Self.size))
        #expect(source.size() == Self.size)
        #expect(source.isSeekable)
        #expect(source.statistics.bytesRead == Self.size)
        #expect(source.statistics.connections == 1)
        #expect(server.connections == 1)
        #expect(source.statistics.requests == server.log.count)
        #expect(server.log.count < 13)
        #expect(source.statistics.notes.isEmpty)
    }

    @Test func `past the end there is nothing`() throws {
        let server = try LoopbackServer(["/a": Self.ranged, "/empty": LoopbackResource([])])
        let source = try open(server.url("/a"))
        #expect(try source.bytes(Self.size..<Self.size + 10).isEmpty)
        #expect(try source.bytes(1 << 60..<1 << 60 + 10).isEmpty)
        #expect(try source.bytes(Self.size - 5..<Self.size + 10) == pattern(Self.size - 5..<Self.size))
        let empty = try open(server.url("/empty"))
        #expect(try empty.bytes(0..<10).isEmpty)
        #expect(empty.size() == 0)
    }

    /// Where the index of a 100 MB MP4 is, and where the frames.
    struct Layout: CustomTestStringConvertible, Sendable {
        let name: String
        let index: Range<Int64>
        let frames: Range<Int64>
        var testDescription: String { name }
    }

    @Test(arguments: [
        Layout(name: "index first", index: 32..<400_000, frames: 61_000_000..<61_900_000),
        Layout(name: "index last", index: 99_600_000..<100_000_000, frames: 61_000_000..<61_900_000),
        Layout(name: "a large group of pictures", index: 99_000_000..<100_000_000, frames: 9_000_000..<14_000_000),
    ])
    func `a frame of 100 MB costs the index, the frames, and at most 1 MB`(layout: Layout) throws {
        let server = try LoopbackServer(["/movie": .pattern(size: 100_000_000)])
        let source = try open(server.url("/movie"))
        #expect(try source.bytes(0..<32) == pattern(0..<32))
        #expect(try source.bytes(layout.index) == pattern(layout.index))
        #expect(try source.bytes(layout.frames) == pattern(layout.frames))
        let needed = Int64(layout.index.count + layout.frames.count)
        #expect(server.bytesSent <= needed + 1_000_000)
        #expect(source.statistics.bytesRead <= server.bytesSent)
        #expect(server.connections == 1)
        #expect(source.statistics.connections == 1)
        #expect(server.log.count <= 20)
    }

    @Test func `small jumps back cost no request`() throws {
        let server = try LoopbackServer(["/a": Self.ranged])
        let source = try open(server.url("/a"))
        _ = try source.bytes(0..<1_000_000)
        let requests = server.log.count
        for offset in stride(from: Int64(900_000), to: 0, by: -90_000) {
            #expect(try source.bytes(offset..<offset + 100) == pattern(offset..<offset + 100))
        }
        #expect(server.log.count == requests)
    }

    @Test func `bytes that are there already are not asked for again`() throws {
        let server = try LoopbackServer(["/a": Self.ranged])
        let source = try open(server.url("/a"))
        _ = try source.bytes(1_000_000..<1_100_000)
        #expect(try source.bytes(950_000..<1_100_000) == pattern(950_000..<1_100_000))
        #expect(server.log.last?.range == "bytes=950000-999999")
    }

    @Test func `what is asked for is the bytes as they are, and says who asks`() throws {
        let server = try LoopbackServer(["/a": Self.ranged])
        _ = try open(server.url("/a"), options: HTTPOptions(version: "1.2"))
        let headers = try #require(server.log.first).headers
        #expect(headers["accept-encoding"] == "identity")
        #expect(headers["range"] == "bytes=0-131071")
        #expect(headers["user-agent"] == "snap/1.2")
    }

    @Test func `two sources of a session share a connection`() throws {
        let server = try LoopbackServer(["/a": .pattern(size: 5_000), "/b": .pattern(size: 6_000)])
        let session = try HTTPSession()
        for path in ["/a", "/b", "/a"] {
            let source = try HTTPByteSource(HTTPURL(server.url(path)), session: session, interrupt: Interrupt())
            #expect(try source.bytes(0..<5_000) == pattern(0..<5_000))
        }
        #expect(server.connections == 1)
    }

    @Test func `a source that was left in mid-body doesn't hinder others of its session`() throws {
        let server = try LoopbackServer(["/a": .pattern(size: 9_000_000).with { $0.acceptsRanges = false }])
        let session = try HTTPSession()
        let left = try HTTPByteSource(HTTPURL(server.url("/a")), session: session, interrupt: Interrupt())
        _ = try left.bytes(0..<100)
        let other = try HTTPByteSource(HTTPURL(server.url("/a")), session: session, interrupt: Interrupt())
        #expect(try other.bytes(0..<9_000_000) == pattern(0..<9_000_000))
        // Meanwhile the first was made to wait, and neither lost bytes nor piled them up.
        #expect(left.statistics.bytesRead < 1_000_000)
        #expect(try left.bytes(100..<9_000_000) == pattern(100..<9_000_000))
    }

    @Test func `many sources leave no descriptors open`() throws {
        let server = try LoopbackServer([
            "/a": .pattern(size: 400_000), "/stall": .pattern(size: 400_000).with { $0.stallAfter = 10 },
        ])
        func use() throws {
            _ = try open(server.url("/a")).bytes(0..<10)
            _ = try open(server.url("/stall")).bytes(0..<10)
            #expect(failure { _ = try open(server.url("/missing")) }?.code == .httpStatus(404))
        }
        try use()
        let before = clientDescriptors(of: server)
        for _ in 0..<50 { try use() }
        #expect(clientDescriptors(of: server) <= before)
    }
}
