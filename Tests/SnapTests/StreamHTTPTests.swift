import Foundation
import Snap
import SnapBase
import TestSupport
import Testing

/// What is asked of a server for a frame of a stream, and what happens when it misbehaves.
@Suite("Streams over HTTP")
struct StreamHTTPTests {
    private func snapshot(
        _ server: LoopbackServer, _ path: String = "/master.m3u8", at position: Position = .seconds(3),
        size: PictureSize = .original, opening options: VideoOptions = .oneThread(timeout: .seconds(10))
    ) throws(SnapError) -> Snapshot {
        let reader = try VideoReader(.url(server.url(path)), options: options, interrupt: Interrupt())
        var wishes = SnapshotOptions()
        wishes.size = size
        return try reader.snapshot(at: try reader.moment(position, for: wishes), options: wishes)
    }

    private func refusal(
        _ resources: [String: LoopbackResource], _ path: String = "/master.m3u8",
        opening options: VideoOptions = .oneThread(timeout: .seconds(10))
    ) throws -> SnapError? {
        let server = try LoopbackServer(resources)
        do throws(SnapError) {
            _ = try snapshot(server, path, opening: options)
            return nil
        } catch {
            return error
        }
    }

    @Test("A thumbnail costs a request for each thing that it needs, on one connection", arguments: [false, true])
    func budget(_ isMP4: Bool) throws {
        let ladder = try StreamLadder(isMP4: isMP4)
        for (width, name) in [(160, "small"), (300, "middle"), (640, "large"), (1920, "large")] {
            let server = try LoopbackServer(ladder.resources)
            let taken = try snapshot(server, size: .width(width))
            #expect(FrameNumberPattern.number(in: taken.picture.rgb) == 75)
            #expect(taken.receipt.status == .ok && taken.receipt.stream?.segment == 1)
            let wanted =
                ["/master.m3u8", "/\(name).m3u8"] + (isMP4 ? ["/\(name)-init.mp4"] : [])
                + ["/\(name)-1.\(isMP4 ? "m4s" : "ts")"]
            #expect(server.log.map(\.path).sorted() == wanted.sorted())
            #expect(server.connections == 1)
            let size = wanted.reduce(0) { $0 + (ladder.files[String($1.dropFirst())]?.count ?? 0) }
            #expect(server.bytesSent <= size)
            let reading = taken.receipt.reading
            #expect(reading.requests == server.log.count && reading.connections == 1)
            #expect(reading.bytesRead <= server.bytesSent)
        }
    }

    @Test("Only what lies before the frame is asked for, as far as the announced rate tells")
    func early() throws {
        let ladder = try StreamLadder(isMP4: false)
        let server = try LoopbackServer(ladder.resources)
        let taken = try snapshot(server, at: .seconds(4))
        #expect(FrameNumberPattern.number(in: taken.picture.rgb) == 100)
        let segment = try #require(server.log.last)
        #expect(segment.path == "/large-2.ts" && segment.range != nil)
        #expect(segment.bytesSent < Int64(ladder.files["large-2.ts"]!.count) * 8 / 10)
    }

    @Test(
        "What leaves the server is little more than the frame needs, in two requests, whatever bandwidth is announced",
        arguments: [false, true], [false, true])
    func bytes(_ isMP4: Bool, _ isLarge: Bool) throws {
        let long = try LongSegment(isMP4: isMP4, isLarge: isLarge)
        for bandwidth in [100, 300, 33, nil] as [Int?] {
            for number in [20, 100, 180] {
                let server = try long.server(bandwidth: bandwidth)
                let taken = try snapshot(server, at: .time(MediaTime(Int64(number), over: 25)!))
                #expect(FrameNumberPattern.number(in: taken.picture.rgb) == number)
                let requests = server.log.filter { $0.path == "/segment" }
                let sent = requests.reduce(0) { $0 + $1.bytesSent }
                let needed = Int64(long.bytesNeeded(forFrame: number))
                // Nothing shorter than 32 KB is asked for, and 12 KB and a little more than seems to be needed; where
                // nothing is announced, 128 KB at first.
                let least: Int64 = bandwidth == nil ? 131_072 : 0
                let most = min(max(needed + needed / 10 + 49_152, least), Int64(long.segment.count))
                let what = "frame \(number), \(bandwidth ?? 0) % announced: \(requests.map { $0.range ?? "all" })"
                #expect(sent <= most, "\(sent) for \(needed): \(what)")
                #expect(requests.count <= (isLarge || bandwidth == 33 ? 2 : 1), "\(what)")
            }
        }
    }

    @Test("Another segment is as large as the one before it, whatever was announced")
    func measured() throws {
        let ladder = try StreamLadder(isMP4: false)
        var resources = ladder.resources
        let list = String(decoding: ladder.files["master.m3u8"] ?? [], as: UTF8.self)
            .replacingOccurrences(of: "BANDWIDTH=", with: "BANDWIDTH=10")
        resources["/master.m3u8"] = LoopbackResource(Array(list.utf8))
        let server = try LoopbackServer(resources)
        let reader = try VideoReader(.url(server.url("/master.m3u8")), options: .oneThread, interrupt: Interrupt())
        for time in [0, 4] as [Int64] {
            _ = try reader.snapshot(at: try reader.moment(.seconds(time)), options: SnapshotOptions())
        }
        let sent = server.log.filter { $0.path == "/large-2.ts" }.reduce(0) { $0 + $1.bytesSent }
        let whole = try #require(ladder.files["large-2.ts"]).count
        #expect(sent > 0 && sent < Int64(whole) / 2)
    }

    @Test("Many times in a segment fetch it once")
    func many() throws {
        let server = try LoopbackServer(try StreamLadder(isMP4: true).resources)
        let reader = try VideoReader(
            .url(server.url("/master.m3u8")), options: .oneThread, interrupt: Interrupt())
        let moments = try stride(from: 0, to: 200, by: 3).map {
            try reader.moment(.time(MediaTime(Int64($0), over: 25)!))
        }
        for (index, moment) in moments.enumerated() {
            let next = index + 1 < moments.count ? moments[index + 1] : nil
            let taken = try reader.snapshot(at: moment, next: next, options: SnapshotOptions())
            #expect(FrameNumberPattern.number(in: taken.picture.rgb) == 3 * index)
        }
        // Four segments, each perhaps in two goes.
        #expect(server.log.count <= 3 + 2 * 4)
        #expect(server.connections <= 2)  // a busy machine may give up the rest of an answer
        #expect(reader.statistics.framesDecoded < 300)
    }

    @Test(
        "Codecs, names, keys and headers, from a server", arguments: StreamCase.further.filter { !$0.isForFolderOnly })
    func further(_ entry: StreamCase.Further) throws {
        let stream = try entry.make()
        let resources = stream.resources
        let server = try LoopbackServer { target in
            let path = String(target.prefix { $0 != "?" })
            return resources[path.removingPercentEncoding ?? path]
        }
        let reader = try VideoReader(
            .url(server.url("/stream/" + stream.entry)), options: .oneThread, interrupt: Interrupt())
        for time in entry.questions(of: stream) {
            let taken = try reader.snapshot(at: try reader.moment(.time(time)), options: SnapshotOptions())
            let number = FrameNumberPattern.number(in: taken.picture.rgb)
            #expect(number.map { .frame($0) } == stream.answer(at: time), "at \(time)")
        }
        // Two playlists, a map and two keys at most; a segment perhaps in two goes.
        #expect(server.log.count <= 5 + 2 * stream.segments.count)
    }

    @Test("Parameters of the playlist's address become variables")
    func queryParameters() throws {
        let entry = try #require(StreamCase.matrix.first { $0.description == "ts plain muxed plain" })
        var resources = try entry.make().resources
        let list = try #require(resources["/stream/list.m3u8"])
        let text = String(decoding: list.bytes(0..<list.size), as: UTF8.self)
            .replacingOccurrences(of: ".ts", with: ".ts?key={$token}")
            .replacingOccurrences(of: "#EXTM3U", with: "#EXTM3U\n#EXT-X-DEFINE:QUERYPARAM=\"token\"")
        resources["/stream/list.m3u8"] = LoopbackResource(Array(text.utf8))
        let server = try LoopbackServer(resources)
        let taken = try snapshot(server, "/stream/list.m3u8?a=1&token=x%20y&token=z")
        #expect(FrameNumberPattern.number(in: taken.picture.rgb) == 75)
        #expect(server.log.last?.path == "/stream/seg1.ts?key=x%20y")
        let error = try refusal(resources, "/stream/list.m3u8?a=1")
        #expect(error?.code == .notMedia && error?.message.contains("variable token") == true)
    }

    @Test(
        "A key frame from a list of them costs its entry, and what the stream begins with",
        arguments: [(false, false), (false, true), (true, true)])
    func keyFrames(_ isMP4: Bool, _ hasMap: Bool) throws {
        var ladder = try StreamLadder(isMP4: isMP4)
        let entries = try ladder.addKeyFrames(hasMap: hasMap)
        #expect(entries.count == 8)
        for (index, entry) in entries.enumerated() {
            let server = try LoopbackServer(ladder.resources)
            let reader = try VideoReader(
                .url(server.url("/master.m3u8")), options: .oneThread, interrupt: Interrupt())
            var wishes = SnapshotOptions()
            wishes.tolerance = .any
            let time = MediaTime(seconds: Int64(index)) + MediaTime(1, over: 2)!
            let taken = try reader.snapshot(at: try reader.moment(.time(time), for: wishes), options: wishes)
            #expect(FrameNumberPattern.number(in: taken.picture.rgb) == entry.number)
            #expect(taken.receipt.isKeyFrame == true && taken.receipt.delta == MediaTime(-1, over: 2)!)
            #expect(server.log.map(\.path).contains("/keys.m3u8"))
            let fetched = server.log.filter { !$0.path.hasSuffix(".m3u8") }.reduce(0) { $0 + $1.bytesSent }
            #expect(fetched <= Int64(entry.size + 2048))
            // What the stream begins with, and the entry, each in one go.
            #expect(server.log.filter { !$0.path.hasSuffix(".m3u8") }.count <= 2)
        }
    }

    @Test("A variant that fails gives way to the next, which is said, and never to another frame")
    func fallback() throws {
        for broken in ["/large.m3u8", "/large-1.ts"] {
            var resources = try StreamLadder(isMP4: false).resources
            resources[broken] = .status(404)
            let taken = try snapshot(try LoopbackServer(resources))
            #expect(FrameNumberPattern.number(in: taken.picture.rgb) == 75)
            #expect(taken.receipt.stream?.variant?.width == 384)
            #expect(taken.receipt.reading.notes.contains { $0.contains("404") && $0.contains("384x216") })
        }
        var resources = try StreamLadder(isMP4: false).resources
        for name in StreamLadder.names { resources["/\(name)-1.ts"] = .status(404) }
        let error = try refusal(resources)
        #expect(error?.code == .network && error?.message.contains("404") == true)
    }

    @Test("The same pixels as from an MP4 of the same content")
    func parity() throws {
        let server = try LoopbackServer(try StreamLadder(isMP4: true).resources)
        let file = try VideoReader(.file(try Clip.streamed.path()), options: .oneThread, interrupt: Interrupt())
        for time in [0, 1, 3, 6].map({ MediaTime(seconds: $0) }) {
            var options = VideoOptions.oneThread
            options.variant = .smallest
            let one = try snapshot(server, at: .time(time), opening: options)
            let other = try file.snapshot(at: try file.moment(.time(time)), options: SnapshotOptions())
            #expect(one.picture == other.picture)
            #expect(one.receipt.actual?.time == other.receipt.actual?.time)
        }
    }

    @Test("A server that misbehaves gets its sentence, in time")
    func misbehaviour() throws {
        let good = try StreamLadder(isMP4: false).resources
        func changed(
            _ path: String, within limit: Duration = .seconds(20),
            _ change: @escaping (inout LoopbackResource) -> Void
        ) throws -> SnapError? {
            var resources = good
            for name in StreamLadder.names {
                let path = path.replacingOccurrences(of: "large", with: name)
                resources[path] = resources[path]?.with(change)
            }
            return try refusal(resources, opening: .oneThread(timeout: limit))
        }
        #expect(try changed("/large-1.ts", within: .seconds(2)) { $0.stallAfter = 1000 }?.code == .timedOut)
        #expect(try changed("/large.m3u8", within: .seconds(2)) { $0.stallAfter = 10 }?.code == .timedOut)
        #expect(try changed("/large-1.ts") { $0.redirect = "file:///etc/passwd" }?.code == .refusedAddress)
        #expect(try changed("/large-1.ts") { $0.redirect = "http://192.168.1.1/x.ts" }?.code == .refusedAddress)
        #expect(try changed("/large.m3u8") { $0.redirect = "http://169.254.169.254/" }?.code == .refusedAddress)
        #expect(try changed("/large-1.ts") { $0.acceptsRanges = false } == nil)
        #expect(try changed("/large-1.ts") { $0.isChunked = true } == nil)
        #expect(try changed("/large-1.ts") { $0.statuses = [503, 500] } == nil)
        #expect(
            try changed("/large-1.ts") { ($0.cutAfter, $0.cuts) = (2000, 1) } == nil)
    }

    @Test("A variant that hangs gives way to the next one, while there is time")
    func hangingVariant() throws {
        var resources = try StreamLadder(isMP4: false).resources
        for path in resources.keys where path.hasPrefix("/large-") {
            resources[path] = resources[path]?.with { $0.delay = .seconds(60) }
        }
        var options = VideoOptions.oneThread(timeout: .seconds(28))
        options.variant = .largest
        let taken = try snapshot(LoopbackServer(resources), at: .seconds(0), opening: options)
        #expect(taken.receipt.stream?.variant?.height == 216 && taken.receipt.status == .ok)
        let notes = taken.receipt.reading.notes
        #expect(notes.contains { $0.contains("another variant failed") && $0.contains("tried 2 times") }, "\(notes)")
    }

    @Test("References that lead elsewhere are refused")
    func references() throws {
        let segment = LoopbackResource(try StreamLadder(isMP4: false).files["small-0.ts"]!)
        for reference in [
            "file:///etc/passwd", "/etc/passwd", "http://10.0.0.1/a.ts", "ftp://x/y", "data:video/mp2t,x",
        ] {
            let list = "#EXTM3U\n#EXTINF:2,\n\(reference)\n#EXT-X-ENDLIST"
            let error = try refusal(["/list.m3u8": LoopbackResource(Array(list.utf8)), "/a.ts": segment], "/list.m3u8")
            #expect(error != nil, "\(reference)")
            guard reference.contains("file:") || reference.contains("ftp:") else { continue }
            let names = "/list.m3u8: names what can't be opened: "
            #expect(error?.code == .refusedAddress && error?.exitCode == 69, "\(String(describing: error))")
            #expect(error?.message.contains(names) == true || error?.description.contains(names) == true)
            let key = "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"\(reference)\"\n#EXTINF:2,\na.ts\n#EXT-X-ENDLIST"
            let other = try refusal(["/list.m3u8": LoopbackResource(Array(key.utf8)), "/a.ts": segment], "/list.m3u8")
            #expect(other?.code == .refusedAddress && other?.description.contains(names) == true)
        }
    }

    @Test("Other contents are named")
    func contents() throws {
        let list = "#EXTM3U\n#EXTINF:2,\na.ts\n#EXT-X-ENDLIST"
        func message(_ bytes: [UInt8]) throws -> String? {
            try refusal(["/l.m3u8": LoopbackResource(Array(list.utf8)), "/a.ts": LoopbackResource(bytes)], "/l.m3u8")?
                .message
        }
        #expect(try message(Array("<html>nothing</html>".utf8))?.contains("web page") == true)
        #expect(try message(Array("#EXTM3U\n#EXTINF:2,\na.ts".utf8))?.contains("another playlist") == true)
        #expect(try message(Array("WEBVTT\n\n".utf8))?.contains("WebVTT") == true)
        #expect(try message([])?.contains("nothing") == true)
        #expect(try message([0xFF, 0xF1] + [UInt8](repeating: 0, count: 500))?.contains("packed audio") == true)
    }

    @Test("A key that does not fit, or is none, is named")
    func keys() throws {
        let entry = try #require(StreamCase.matrix.first { $0.description == "ts aes-128 muxed plain" })
        let stream = try entry.make()
        var resources = stream.resources
        resources["/stream/key1.bin"] = LoopbackResource([UInt8](repeating: 1, count: 15))
        #expect(try refusal(resources, "/stream/list.m3u8")?.message.contains("16 bytes") == true)
        resources["/stream/key1.bin"] = LoopbackResource([UInt8](repeating: 1, count: 16))
        let error = try refusal(resources, "/stream/list.m3u8")
        #expect(error?.code == .encrypted && error?.message.contains("does not fit") == true)
        resources["/stream/key1.bin"] = .status(403)
        #expect(try refusal(resources, "/stream/list.m3u8")?.message.contains("403") == true)
    }

    @Test("A playlist may be compressed, lie behind a redirect, and have no telling name")
    func playlists() throws {
        let ladder = try StreamLadder(isMP4: false)
        let text = try #require(ladder.files["large.m3u8"])
        let zipped = try ProcessRunner.run("gzip", ["-c"], input: text).standardOutput
        var resources = ladder.resources
        resources["/large.m3u8"] = LoopbackResource(zipped).with { $0.fields = ["Content-Encoding: gzip"] }
        resources["/moved.m3u8"] = .redirect(to: "/deep/../master.m3u8")
        resources["/stream"] = resources["/master.m3u8"]?.with { $0.fields = ["Content-Type: Application/X-MPEGURL"] }
        for path in ["/master.m3u8", "/moved.m3u8", "/stream"] {
            let taken = try snapshot(try LoopbackServer(resources), path)
            #expect(FrameNumberPattern.number(in: taken.picture.rgb) == 75)
        }
    }
}
