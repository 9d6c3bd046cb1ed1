import Foundation
import Snap
import SnapBase
import TestSupport
import Testing

/// Streams that publish a segment in parts, before it is complete.
@Suite("Low latency")
struct LowLatencyTests {
    private static let start = WallClock("2026-11-20T18:00:00Z")!

    private func open(_ server: LoopbackServer) throws -> VideoReader {
        try VideoReader(
            .url(server.url("/live.m3u8")), options: .oneThread(timeout: .seconds(10)), interrupt: Interrupt())
    }

    private func take(
        _ reader: VideoReader, _ position: Position, _ change: (inout SnapshotOptions) -> Void = { _ in }
    ) throws(SnapError) -> (number: Int?, receipt: Receipt) {
        var wishes = SnapshotOptions()
        change(&wishes)
        let taken = try reader.snapshot(at: try reader.moment(position), options: wishes)
        return (FrameNumberPattern.number(in: taken.picture.rgb), taken.receipt)
    }

    /// What was asked for besides playlists.
    private func media(_ server: LoopbackServer) -> [String] {
        server.log.map(\.path).filter { !$0.contains(".m3u8") }
    }

    @Test("The newest frame is that of the newest part, whatever part that is", arguments: 0...5)
    func newest(_ parts: Int) throws {
        let stream = try LiveStream(published: 4, start: Self.start, hasParts: true)
        stream.change { ($0.publishedParts, $0.blocks) = (parts, false) }
        let server = try stream.server()
        let got = try take(try open(server), .live(behind: .zero))
        #expect(got.number == stream.newest && got.receipt.status == .ok)
        let date = try #require(got.receipt.stream?.programDate)
        #expect(date == Self.start + MediaTime(Int64(stream.newest), over: 25)!)
        // Nothing before the key frame that it is decoded from: one begins each second.
        let first = parts == 0 ? "/p3-0.m4s" : "/p4-0.m4s"
        #expect(media(server).prefix(2) == ["/init.mp4", first])
        #expect(media(server).count == 1 + (parts == 0 ? LiveStream.partsPerSegment : parts))
        #expect(server.connections == 1)
        withExtendedLifetime(stream) {}
    }

    @Test("By key frame, one part is enough")
    func key() throws {
        let stream = try LiveStream(published: 4, start: Self.start, hasParts: true)
        stream.change { $0.publishedParts = 3 }
        let server = try stream.server()
        let got = try take(try open(server), .live(behind: .zero)) { $0.tolerance = .any }
        #expect(got.number == 100 && got.receipt.isKeyFrame == true)
        #expect(media(server) == ["/init.mp4", "/p4-0.m4s"])
        withExtendedLifetime(stream) {}
    }

    @Test("Times lie in parts as in segments")
    func times() throws {
        let stream = try LiveStream(published: 4, start: Self.start, hasParts: true)
        stream.change { $0.publishedParts = 4 }
        let reader = try open(try stream.server())
        // The list goes from 1 s to 4.8 s.
        #expect(try take(reader, .milliseconds(3000)).number == 100)
        #expect(try take(reader, .milliseconds(3300)).number == 107)
        #expect(try take(reader, .live(behind: MediaTime(1, over: 2)!)).number == 107)
        #expect(try take(reader, .live(behind: MediaTime(1, over: 1)!)).number == 95)
        #expect(try take(reader, .date(Self.start + MediaTime(44, over: 10)!)).number == 110)
        withExtendedLifetime(stream) {}
    }

    @Test("Asked again at once, a server that blocks gives the next part as soon as there is one")
    func blocking() throws {
        let stream = try LiveStream(published: 4, start: Self.start, hasParts: true)
        stream.change { $0.publishedParts = 1 }
        let server = try stream.server()
        let reader = try open(server)
        let first = try take(reader, .live(behind: .zero))
        #expect(first.number == stream.newest)
        // A part later; half a target duration has not passed.
        Thread.sleep(forTimeInterval: 0.25)
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.1)
            stream.change { $0.publishedParts = 2 }
        }
        let second = try take(reader, .live(behind: .zero))
        #expect(second.number == stream.newest)
        #expect(server.log.map(\.path).contains("/live.m3u8?_HLS_msn=4&_HLS_part=1"))
        // What was fetched is not fetched again.
        #expect(media(server) == ["/init.mp4", "/p4-0.m4s", "/p4-1.m4s"])
        withExtendedLifetime(stream) {}
    }

    @Test("A server that says it blocks, and doesn't, is not asked again and again")
    func noBlocking() throws {
        let stream = try LiveStream(published: 0, start: Self.start, hasParts: true)
        stream.change { $0.blocks = false }
        let server = try stream.server()
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 1)
            stream.change { $0.published = 2 }
        }
        #expect(try take(try open(server), .live(behind: .zero)).number == 49)
        #expect(server.log.filter { $0.path.contains(".m3u8") }.count <= 8)
        withExtendedLifetime(stream) {}
    }

    @Test("A part that is gone by the time it is asked for: the list of now")
    func gone() throws {
        let stream = try LiveStream(published: 2, start: Self.start, hasParts: true)
        stream.change { $0.publishedParts = 2 }
        let server = try stream.server()
        let reader = try open(server)
        let moment = try reader.moment(.live(behind: .zero))
        stream.change { ($0.published, $0.publishedParts) = (7, 1) }
        let taken = try reader.snapshot(at: moment, options: SnapshotOptions())
        #expect(FrameNumberPattern.number(in: taken.picture.rgb) == stream.newest)
        withExtendedLifetime(stream) {}
    }

    @Test("Parts that are given up: the segment that they became")
    func givenUp() throws {
        let stream = try LiveStream(published: 4, start: Self.start, hasParts: true)
        stream.change { ($0.hasGivenUpParts, $0.blocks) = (true, false) }
        let server = try stream.server()
        let got = try take(try open(server), .live(behind: .zero))
        #expect(got.number == 99 && media(server).last == "/s3.m4s")
        withExtendedLifetime(stream) {}
    }

    @Test("A stream that ends leaves out the parts that never became a segment")
    func end() throws {
        let stream = try LiveStream(published: 4, start: Self.start, hasParts: true)
        stream.change { $0.publishedParts = 2 }
        let reader = try open(try stream.server())
        let first = reader.look(after: nil)
        #expect(first.isLive)
        stream.change { ($0.publishedParts, $0.isEnded) = (0, true) }
        Thread.sleep(forTimeInterval: 0.6)
        #expect(!reader.look(after: first.identity).isLive)
        withExtendedLifetime(stream) {}
    }
}
