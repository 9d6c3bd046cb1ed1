import Foundation
import Snap
import SnapBase
import TestSupport
import Testing

/// From a URL to a picture: what is asked of the server, and what happens when it misbehaves.
@Suite("Videos over HTTP")
struct HTTPVideoTests {
    private func server(_ resource: LoopbackResource) throws -> LoopbackServer {
        try LoopbackServer(["/clip": resource])
    }

    @Test(
        "Any layout, for one request a place and on one connection",
        arguments: [Clip.moovFirst, .moovLast, .fragmented, .fragmentedWithMFRA, .mkv, .vp9, .ts, .mpeg4InAVI])
    func layouts(_ clip: Clip) async throws {
        let server = try server(LoopbackResource(clip.bytes()))
        let video = try await Video(.url(server.url("/clip")), options: .oneThread)
        for number in [0, 40, 13, 59] {
            let snapshot = try await video.snapshot(at: .time(clip.facts.time(ofFrame: number)))
            #expect(clip.number(in: snapshot.picture.rgb) == number)
            #expect(snapshot.receipt.status == .ok)
            #expect(snapshot.receipt.reading.notes.isEmpty)
        }
        #expect(server.connections == 1)
        // The clips are small: a window or two hold all of each.
        #expect(server.log.count <= 3, "\(server.log.map { $0.range ?? "" })")
    }

    // The last frame of a group is known as such by the packet behind it, which here lies far away: one request more.
    @Test(
        "A frame of a 100 MB film costs the index, its group of pictures and less than 1 MB", arguments: [true, false])
    func budget(_ indexFirst: Bool) async throws {
        let clip = Clip.moovLast
        let movie = try SpreadMovie(clip, framesInGroup: 12, size: 100_000_000, indexFirst: indexFirst)
        for number in [0, 5, 30, 47, 59] {
            let server = try server(movie.resource)
            let video = try await Video(.url(server.url("/clip")), options: .oneThread)
            let snapshot = try await video.snapshot(at: .time(clip.facts.time(ofFrame: number)))
            #expect(clip.number(in: snapshot.picture.rgb) == number && snapshot.receipt.status == .ok)
            let needed = movie.indexSize + movie.largestGroup
            #expect(server.bytesSent <= needed + 1_000_000, "frame \(number): \(server.log.map { $0.range ?? "" })")
            #expect(
                server.log.count <= (indexFirst ? 2 : 3) + (number == 47 ? 1 : 0),
                "frame \(number): \(server.log.map { $0.range ?? "" })")
            #expect(server.connections == 1)
            let reading = snapshot.receipt.reading
            #expect(reading.requests == server.log.count && reading.connections == 1)
            #expect(reading.bytesRead <= server.bytesSent)
        }
    }

    @Test("Many frames of it ask for each place once", arguments: [true, false])
    func manyFrames(_ indexFirst: Bool) async throws {
        let clip = Clip.moovLast
        let movie = try SpreadMovie(clip, framesInGroup: 12, size: 100_000_000, indexFirst: indexFirst)
        let server = try server(movie.resource)
        let video = try await Video(.url(server.url("/clip")), options: .oneThread)
        let numbers = Array(0..<60).shuffled()
        var position = 0
        for await element in video.snapshots(at: numbers.map { .time(clip.facts.time(ofFrame: $0)) }) {
            #expect(clip.number(in: try element.result.get().picture.rgb) == numbers[position])
            position += 1
        }
        #expect(position == 60)
        #expect(server.log.count <= 8, "\(server.log.map { $0.range ?? "" })")
        // On a machine that is too busy to read the rest of an answer within a moment, it is given up.
        #expect(server.connections <= (Patience.factor > 1 ? 3 : 2))
    }

    @Test("Percent and end of it cost little more")
    func ends() async throws {
        let clip = Clip.moovLast
        let movie = try SpreadMovie(clip, framesInGroup: 12, size: 100_000_000, indexFirst: true)
        for (position, number) in [(Position.percent(50), 30), (.end, 59), (.beforeEnd(MediaTime(seconds: 1)), 35)] {
            let server = try server(movie.resource)
            let video = try await Video(.url(server.url("/clip")), options: .oneThread)
            let snapshot = try await video.snapshot(at: position)
            #expect(clip.number(in: snapshot.picture.rgb) == number)
            #expect(server.bytesSent <= movie.indexSize + 2 * movie.largestGroup + 1_000_000)
            #expect(server.log.count <= 4, "\(position): \(server.log.map { $0.range ?? "" })")
        }
    }

    @Test(
        "A server without byte ranges works, with a note where it costs", arguments: [Clip.moovFirst, .moovLast, .ts])
    func withoutRanges(_ clip: Clip) async throws {
        let server = try server(LoopbackResource(clip.bytes()).with { $0.acceptsRanges = false })
        let video = try await Video(.url(server.url("/clip")), options: .oneThread)
        let snapshot = try await video.snapshot(at: .time(clip.facts.time(ofFrame: 40)))
        #expect(clip.number(in: snapshot.picture.rgb) == 40 && snapshot.receipt.status == .ok)
        #expect(server.log.count == 1)
    }

    @Test("A large film from a server without byte ranges: a note, or the byte limit's sentence")
    func largeWithoutRanges() async throws {
        let clip = Clip.moovLast
        let movie = try SpreadMovie(clip, framesInGroup: 12, size: 40_000_000, indexFirst: true)
        let server = try server(movie.resource.with { $0.acceptsRanges = false })
        let video = try await Video(.url(server.url("/clip")), options: .oneThread)
        let snapshot = try await video.snapshot(at: .time(clip.facts.time(ofFrame: 30)))
        #expect(clip.number(in: snapshot.picture.rgb) == 30)
        #expect(snapshot.receipt.reading.notes.contains { $0.contains("no byte ranges") })

        var options = VideoOptions.oneThread
        options.byteLimit = 1_000_000
        let error = await error(server.url("/clip"), at: .seconds(1), options)
        #expect(error?.code == .tooManyBytes && error?.exitCode == 65)
        #expect(error?.message.contains("no byte ranges") == true, "\(String(describing: error))")
        #expect(error?.message.contains("--max-bytes") == true, "\(String(describing: error))")
    }

    @Test("A cut connection is resumed where it was cut")
    func cut() async throws {
        let clip = Clip.h264LongGOP
        let server = try server(LoopbackResource(clip.bytes()).with { ($0.cutAfter, $0.cuts) = (20_000, 2) })
        let video = try await Video(.url(server.url("/clip")), options: .oneThread)
        let snapshot = try await video.snapshot(at: .time(clip.facts.time(ofFrame: 200)))
        #expect(clip.number(in: snapshot.picture.rgb) == 200 && snapshot.receipt.status == .ok)
        #expect(server.log.count >= 3)
    }

    @Test("A connection cut again and again is an error, not a short film")
    func cutForGood() async throws {
        let bytes = try Clip.ts.bytes()
        let server = try server(
            LoopbackResource(bytes).with {
                $0.cutAfter = 20_000
                $0.acceptsRanges = false
            })
        let error = await error(server.url("/clip"), at: .end)
        #expect(error?.code == .network && error?.exitCode == 69, "\(String(describing: error))")
    }

    @Test("A server that stalls ends at the deadline")
    func stall() throws {
        let bytes = try Clip.moovFirst.bytes()
        for resource in [
            LoopbackResource(bytes).with { $0.stallAfter = 8000 },
            LoopbackResource(bytes).with { $0.delay = .seconds(5) },
        ] {
            let server = try server(resource)
            let start = ContinuousClock.now
            let error = failure(
                of: .url(server.url("/clip")), at: .seconds(2), opening: .oneThread(timeout: .milliseconds(500)))
            #expect(error?.code == .timedOut && error?.exitCode == 75, "\(String(describing: error))")
            #expect(ContinuousClock.now - start < .seconds(1))
        }
    }

    @Test("What a server refuses is told in a sentence")
    func refusals() async throws {
        let cases: [(LoopbackResource, SnapError.Code, Int32, [String])] = [
            (.status(404), .network, 69, ["404", "not found"]),
            (.status(403), .network, 69, ["403", "forbidden"]),
            (.redirect(to: "http://192.168.0.1/x.mp4"), .refusedAddress, 69, ["private network", "--allow-private"]),
            (.redirect(to: "http://169.254.169.254/latest"), .refusedAddress, 69, ["169.254.169.254", "link-local"]),
            (.redirect(to: "file:///etc/passwd"), .refusedAddress, 69, ["redirects"]),
            (LoopbackResource(Array("<html>no</html>".utf8)), .notMedia, 65, ["not a video"]),
            (LoopbackResource([]), .empty, 65, ["empty"]),
        ]
        for (resource, code, exitCode, words) in cases {
            let server = try server(resource)
            let url = server.url("/clip", user: "me:secret@")
            let error = await error(url)
            #expect(error?.code == code && error?.exitCode == exitCode, "\(String(describing: error))")
            #expect(words.allSatisfy { error?.description.contains($0) == true }, "\(String(describing: error))")
            #expect(error?.description.contains("secret") == false)
        }
        let stopped = try server(.status(404))
        stopped.stop()
        let error = await error(stopped.url("/clip"))
        #expect(error?.code == .network && error?.exitCode == 69, "\(String(describing: error))")
    }

    private func error(
        _ url: String, at position: Position = .start, _ options: VideoOptions = .oneThread
    ) async -> SnapError? {
        do throws(SnapError) {
            _ = try await Video(.url(url), options: options).snapshot(at: position)
            return nil
        } catch {
            return error
        }
    }
}
