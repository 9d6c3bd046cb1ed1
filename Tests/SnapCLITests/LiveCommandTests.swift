import Foundation
import Snap
import TestSupport
import Testing

/// `--every` on a live stream.
@Suite struct LiveCommandTests {
    private static let start = WallClock("2026-11-20T18:00:00Z")!

    private struct Line: Decodable {
        let output: String?
        let status: String
        let code: String
    }

    @Test func everySoOftenTheNewestPictureOrThatThereIsNone() throws {
        let stream = try LiveStream(published: 4, start: Self.start)
        let server = try stream.server()
        let folder = try TemporaryDirectory()
        let process = try SnapProcess.start(
            server.url("/live.m3u8"), "--every", "1s", "--count", "3", "--json", "-o", "{index}.jpg", in: folder)
        while try !folder.files().contains("1.jpg") { usleep(10_000) }
        stream.change { $0.published = 5 }
        while try !folder.files().contains("2.jpg") { usleep(10_000) }
        let result = process.wait(limit: 30)
        let lines = try result.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        #expect(result.end == .exited(0) && lines.count == 3)
        #expect(lines.map(\.status) == ["ok", "ok", "skipped"])
        #expect(lines.map(\.output) == ["1.jpg", "2.jpg", nil])
        #expect(lines.last?.code == "unchanged" && result.messages == "")
        #expect(try folder.files() == ["1.jpg", "2.jpg"])
        #expect(server.connections == 1)
        withExtendedLifetime(stream) {}
    }

    @Test func untilItIsStopped() throws {
        let stream = try LiveStream(published: 4, start: Self.start)
        let folder = try TemporaryDirectory()
        let process = try SnapProcess.start(try stream.server().url("/live.m3u8"), "--every", "0.2s", in: folder)
        while try folder.files().filter({ $0.hasSuffix(".jpg") }).isEmpty { usleep(10_000) }
        usleep(500_000)
        process.send(signal: SIGINT)
        let result = process.wait(limit: 20)
        #expect(result.end == .exited(130) && result.messages == "")
        #expect(try folder.files() == ["live-00-00-02.960.jpg"] && result.lines == folder.files())
        withExtendedLifetime(stream) {}
    }

    @Test func aRangeIsThatOfTheWindow() throws {
        let stream = try LiveStream(published: 4, start: Self.start)
        let folder = try TemporaryDirectory()
        let result = try SnapProcess.run(
            try stream.server().url("/live.m3u8"), "--every", "1s", "--from", "start", "-o", "{index}-{ms}.jpg",
            in: folder)
        #expect(result.exitCode == 0 && result.lines == ["1-0.jpg", "2-1000.jpg", "3-2000.jpg"])
        withExtendedLifetime(stream) {}
    }

    @Test func aStreamThatIsNotThereIsOneFailure() throws {
        let server = try LoopbackServer([:])
        let folder = try TemporaryDirectory()
        let result = try SnapProcess.run(server.url("/live.m3u8"), "--every", "1s", in: folder)
        #expect(result.exitCode == 69 && result.messages.contains("404"))
    }

    @Test func otherVideosWouldWaitForALiveStreamToEnd() throws {
        let stream = try LiveStream(published: 4, start: Self.start)
        let folder = try SnapProcess.folder()
        let result = try SnapProcess.run(
            try stream.server().url("/live.m3u8"), "video.mp4", "--every", "1s", "-o", "{stem}-{index}.jpg", in: folder)
        #expect(result.exitCode == 3 && result.messages.contains("--count"))
        #expect(result.lines == ["video-1.jpg", "video-2.jpg", "video-3.jpg"])
        withExtendedLifetime(stream) {}
    }
}
