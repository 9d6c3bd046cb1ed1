import Foundation
import Snap
import SnapBase
import TestSupport
import Testing

/// Live streams: the newest frame, the window, and what happens at its ends.
@Suite("Live streams")
struct LiveStreamTests {
    private static let start = WallClock("2026-11-20T18:00:00Z")!

    private func open(
        _ server: LoopbackServer, _ change: (inout VideoOptions) -> Void = { _ in }
    ) throws -> VideoReader {
        var options = VideoOptions.oneThread(timeout: .seconds(10))
        change(&options)
        return try VideoReader(.url(server.url("/live.m3u8")), options: options, interrupt: Interrupt())
    }

    private func take(
        _ reader: VideoReader, _ position: Position, _ change: (inout SnapshotOptions) -> Void = { _ in }
    ) throws(SnapError) -> (number: Int?, receipt: Receipt) {
        var wishes = SnapshotOptions()
        change(&wishes)
        let taken = try reader.snapshot(at: try reader.moment(position), options: wishes)
        return (FrameNumberPattern.number(in: taken.picture.rgb), taken.receipt)
    }

    private func failure(_ reader: VideoReader, _ position: Position) -> SnapError? {
        do throws(SnapError) {
            _ = try take(reader, position)
            return nil
        } catch {
            return error
        }
    }

    @Test("The newest frame is the last of what there is, now and later")
    func newest() throws {
        let stream = try LiveStream(published: 4, start: Self.start)
        let server = try stream.server()
        let reader = try open(server)
        let first = try take(reader, .live(behind: .zero))
        #expect(first.number == 99 && first.receipt.status == .ok)
        #expect(first.receipt.stream?.isLive == true)
        #expect(first.receipt.stream?.programDate == Self.start + MediaTime(99, over: 25)!)
        #expect(server.log.map(\.path) == ["/live.m3u8", "/s3.ts"])
        stream.change { $0.published = 6 }
        Thread.sleep(forTimeInterval: 0.6)  // half a target duration: a list is not asked for more often
        #expect(try take(reader, .live(behind: .zero)).number == 149)
        #expect(server.connections == 1)
        withExtendedLifetime(stream) {}
    }

    @Test("The key frame of the newest segment, where that is enough")
    func newestKey() throws {
        let stream = try LiveStream(published: 4, start: Self.start)
        let got = try take(try open(try stream.server()), .live(behind: .zero)) { $0.tolerance = .any }
        #expect(got.number == 75 && got.receipt.isKeyFrame == true)
        withExtendedLifetime(stream) {}
    }

    @Test("So long behind it, within the window; else the window is named")
    func behind() throws {
        let stream = try LiveStream(published: 5, start: Self.start)
        let reader = try open(try stream.server())
        #expect(try take(reader, .live(behind: MediaTime(1, over: 1)!)).number == 100)
        #expect(try take(reader, .live(behind: MediaTime(seconds: 3))).number == 50)
        let error = failure(reader, .live(behind: MediaTime(seconds: 10)))
        #expect(error?.code == .outsideWindow && error?.message.contains("3 s") == true)
        withExtendedLifetime(stream) {}
    }

    @Test("A time of day, or what there is instead")
    func dates() throws {
        let stream = try LiveStream(published: 5, start: Self.start)
        let reader = try open(try stream.server())
        #expect(try take(reader, .date(WallClock("2026-11-20T18:00:03.2Z")!)).number == 80)
        let early = failure(reader, .date(WallClock("2026-11-20T18:00:01Z")!))
        #expect(early?.code == .outsideWindow && early?.message.contains("18:00:02.000Z") == true)
        stream.change { $0.hasDates = false }
        let undated = failure(try open(try stream.server()), .date(Self.start))
        #expect(undated?.code == .outsideWindow && undated?.message.contains("no dates") == true)
        withExtendedLifetime(stream) {}
    }

    @Test("A time that left the window is an error, not the next frame")
    func expiry() throws {
        let stream = try LiveStream(published: 3, start: Self.start)
        let reader = try open(try stream.server())
        #expect(try take(reader, .seconds(0)).number == 0)
        let moment = try reader.moment(.milliseconds(500))
        stream.change { $0.published = 8 }
        // The segment is kept in memory.
        #expect(try reader.snapshot(at: moment, options: SnapshotOptions()).receipt.status == .ok)
        Thread.sleep(forTimeInterval: 0.6)
        #expect(failure(reader, .live(behind: .zero)) == nil)
        #expect(failure(reader, .milliseconds(500))?.code == .outsideWindow)
        #expect(try take(reader, .milliseconds(5500)).number == 137)
        withExtendedLifetime(stream) {}
    }

    @Test("A segment that is listed and not there yet: the one before it")
    func tooEarly() throws {
        let stream = try LiveStream(published: 4, start: Self.start)
        stream.change { $0.listsTooEarly = true }
        let got = try take(try open(try stream.server()), .live(behind: .zero))
        #expect(got.number == 99 && got.receipt.status == .ok)
        withExtendedLifetime(stream) {}
    }

    @Test("A stream that begins anew is followed")
    func restart() throws {
        let stream = try LiveStream(published: 6, start: Self.start)
        stream.change { $0.firstNumber = 1000 }
        let reader = try open(try stream.server())
        #expect(try take(reader, .live(behind: .zero)).number == 149)
        stream.change { ($0.firstNumber, $0.published) = (0, 3) }
        Thread.sleep(forTimeInterval: 0.6)
        #expect(try take(reader, .live(behind: .zero)).number == 74)
        withExtendedLifetime(stream) {}
    }

    @Test("A stream that stands still is said to")
    func stale() throws {
        let stream = try LiveStream(published: 4, start: Self.start)
        let reader = try open(try stream.server())
        #expect(try take(reader, .live(behind: .zero)).receipt.code == "ok")
        Thread.sleep(forTimeInterval: 3.7)
        let got = try take(reader, .live(behind: .zero))
        #expect(got.receipt.code == "stale" && got.receipt.status == .degraded && got.number == 99)
        withExtendedLifetime(stream) {}
    }

    @Test("An empty list is one that has not begun")
    func empty() throws {
        let stream = try LiveStream(published: 0, start: Self.start)
        let server = try stream.server()
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 1)
            stream.change { $0.published = 2 }
        }
        #expect(try take(try open(server), .live(behind: .zero)).number == 49)
        #expect(server.log.count <= 6)
        let never = try LiveStream(published: 0, start: Self.start)
        let patient = try open(try never.server()) { $0.timeout = .seconds(1) }
        let refusal = try #require(failure(patient, .live(behind: .zero)))
        #expect(
            refusal.code == .timedOut && refusal.message.contains("for its first segment, for the playlist names none"))
        withExtendedLifetime((stream, never)) {}
    }

    @Test("How old the newest frame may be")
    func age() throws {
        let now = WallClock(sinceEpoch: MediaTime(seconds: Int64(Date().timeIntervalSince1970)))
        let stream = try LiveStream(published: 4, start: now + MediaTime(seconds: -60))
        let server = try stream.server()
        let age = try #require(try take(try open(server), .live(behind: .zero)).receipt.stream?.age)
        #expect((MediaTime(seconds: 55)...MediaTime(seconds: 75)).contains(age))
        let error = failure(try open(server) { $0.maximumAge = .seconds(10) }, .live(behind: .zero))
        #expect(error?.code == .tooOld && error?.exitCode == 75)
        withExtendedLifetime(stream) {}
    }

    @Test("A stream that has ended is a recording")
    func ended() throws {
        let stream = try LiveStream(published: 5, start: Self.start)
        stream.change { $0.isEnded = true }
        let got = try take(try open(try stream.server()), .end)
        #expect(got.number == 124 && got.receipt.stream?.isLive == false)
        withExtendedLifetime(stream) {}
    }

    @Test("A stream that begins anew under the same names is followed, once its lists are no old copies")
    func restartUnderTheSameNames() throws {
        let stream = try LiveStream(published: 6, start: Self.start)
        let reader = try open(try stream.server())
        #expect(try take(reader, .live(behind: .zero)).number == 149)
        // One old list is passed over.
        stream.change { $0.published = 5 }
        Thread.sleep(forTimeInterval: 0.6)
        #expect(try take(reader, .live(behind: .zero)).number == 149)
        stream.change { ($0.published, $0.window) = (5, 5) }
        Thread.sleep(forTimeInterval: 3.6)  // 3.5 target durations
        #expect(try take(reader, .live(behind: .zero)).number == 124)
        withExtendedLifetime(stream) {}
    }

    @Test("A list that loses its segments is an error")
    func emptied() throws {
        let stream = try LiveStream(published: 4, start: Self.start)
        stream.change { $0.listsTooEarly = true }
        let reader = try open(try stream.server())
        stream.change { $0.replacement = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n" }
        let error = failure(reader, .live(behind: .zero))
        #expect(error?.message.contains("names no segment") == true, "\(String(describing: error))")
        withExtendedLifetime(stream) {}
    }

    @Test("What came since the video was opened counts")
    func later() throws {
        let stream = try LiveStream(published: 4, start: Self.start)
        let readers = try (0..<3).map { _ in try open(try stream.server()) }
        stream.change { $0.published = 6 }
        Thread.sleep(forTimeInterval: 0.6)
        #expect(try take(readers[0], .live(behind: .zero)).number == 149)
        // The first list began at 1 s.
        let beyond = try take(readers[1], .milliseconds(4500))
        #expect(beyond.number == 137 && !beyond.receipt.isClamped)
        #expect(try take(readers[2], .beforeEnd(MediaTime(1, over: 2)!)).number == 137)
        withExtendedLifetime(stream) {}
    }

    @Test("A recording without its end tag is not followed")
    func unfinishedRecording() throws {
        let stream = try LiveStream(published: 4, start: Self.start)
        stream.change {
            $0.replacement = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:1,\ns3.ts\n"
        }
        #expect(try !open(try stream.server()).isLive())
        stream.change { $0.replacement = nil }
        #expect(try open(try stream.server()).isLive())
        withExtendedLifetime(stream) {}
    }
}
