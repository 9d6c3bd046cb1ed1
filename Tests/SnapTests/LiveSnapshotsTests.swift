import Foundation
import Snap
import SnapBase
import TestSupport
import Testing

/// Looking at a live stream again and again.
@Suite("Following a live stream")
struct LiveSnapshotsTests {
    private static let start = WallClock("2026-11-20T18:00:00Z")!

    private func open(_ server: LoopbackServer) throws -> VideoReader {
        var options = VideoOptions.oneThread(timeout: .seconds(10))
        options.allowsPrivateAddresses = true
        return try VideoReader(.url(server.url("/live.m3u8")), options: options, interrupt: Interrupt())
    }

    private func number(_ outcome: LiveSnapshots.Outcome) -> Int? {
        guard case .snapshot(let snapshot) = outcome else { return nil }
        return FrameNumberPattern.number(in: snapshot.picture.rgb)
    }

    @Test("Each look gives the newest frame, or says that there is no newer one")
    func looks() throws {
        let stream = try LiveStream(published: 4, start: Self.start)
        let server = try stream.server()
        let reader = try open(server)
        #expect(try reader.isLive())
        let first = reader.look(after: nil)
        #expect(number(first.outcome) == 99 && first.isLive)
        Thread.sleep(forTimeInterval: 0.6)
        let second = reader.look(after: first.identity)
        guard case .unchanged(let receipt) = second.outcome else {
            Issue.record("\(second.outcome)")
            return
        }
        #expect(receipt.status == .skipped && receipt.code == "unchanged" && receipt.output == nil)
        #expect(receipt.actual?.time == MediaTime(99 - 25, over: 25))
        stream.change { $0.published = 5 }
        Thread.sleep(forTimeInterval: 0.6)
        #expect(number(reader.look(after: second.identity).outcome) == 124)
        #expect(server.log.map(\.path).filter { $0.hasSuffix(".ts") } == ["/s3.ts", "/s4.ts"])
        #expect(server.connections == 1)
        withExtendedLifetime(stream) {}
    }

    @Test("A failure doesn't end it, and the end of the stream does")
    func failures() throws {
        let stream = try LiveStream(published: 4, start: Self.start)
        let reader = try open(try stream.server())
        let first = reader.look(after: nil)
        stream.change { $0.failure = 404 }
        Thread.sleep(forTimeInterval: 0.6)
        let second = reader.look(after: first.identity)
        guard case .failure(let error) = second.outcome else {
            Issue.record("\(second.outcome)")
            return
        }
        #expect(error.message.contains("404"), "\(error)")
        #expect(second.isLive && second.identity == first.identity)
        stream.change { ($0.failure, $0.isEnded, $0.published) = (nil, true, 6) }
        let third = reader.look(after: second.identity)
        #expect(number(third.outcome) == 149 && !third.isLive)
        withExtendedLifetime(stream) {}
    }

    @Test("As a sequence: at its distance, so many, until the stream ends")
    func sequence() async throws {
        let stream = try LiveStream(published: 4, start: Self.start)
        let server = try stream.server()
        var options = VideoOptions()
        options.timeout = .seconds(10)
        let video = try await Video(server.url("/live.m3u8"), options: options)
        #expect(try await video.isLive())
        var numbers: [Int?] = []
        let began = ContinuousClock.now
        // Half again as long as a playlist is taken for current, for the looks are not as punctual as their times.
        for await element in video.liveSnapshots(every: .milliseconds(900), count: 3) {
            #expect(element.index == numbers.count)
            numbers.append(number(element.outcome))
            if numbers.count == 1 { stream.change { $0.published = 6 } }
        }
        // A look that comes too soon after the playlist was loaded, as on a busy machine, gives nothing new yet.
        #expect(numbers.first == 99 && numbers.compactMap(\.self) == [99, 149] && numbers.count == 3, "\(numbers)")
        #expect(ContinuousClock.now - began >= .milliseconds(1800))
        stream.change { ($0.isEnded, $0.published) = (true, 7) }
        try await Task.sleep(for: .milliseconds(600))  // half a target duration
        numbers = []
        for await element in video.liveSnapshots(every: .milliseconds(600)) { numbers.append(number(element.outcome)) }
        #expect(numbers == [174])
        withExtendedLifetime(stream) {}
    }

    @Test("A task that is cancelled ends the sequence, and the video can be used further")
    func cancellation() async throws {
        let stream = try LiveStream(published: 4, start: Self.start)
        let video = try await Video(try stream.server().url("/live.m3u8"))
        let (looks, look) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in video.liveSnapshots(every: .milliseconds(100)) { look.yield() }
            look.finish()
        }
        for await _ in looks { break }
        task.cancel()
        await task.value
        let snapshot = try await video.snapshot(at: .live(behind: .zero))
        #expect(FrameNumberPattern.number(in: snapshot.picture.rgb) == 99)
        withExtendedLifetime(stream) {}
    }
}
