import Snap
import SnapBase
import TestSupport
import Testing

/// Servers and playlists that get it wrong or mean harm: each gets its sentence, within its limit and in time.
@Suite("Misbehaving streams")
struct StreamMisbehaviourTests {
    /// A stream of one segment, `/segment`.
    private static func server(
        _ resources: [String: LoopbackResource], key: String = ""
    ) throws -> LoopbackServer {
        let list = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n\(key)#EXTINF:2,\n/segment\n#EXT-X-ENDLIST"
        return try LoopbackServer(
            ["/list.m3u8": LoopbackResource(Array(list.utf8))].merging(resources) { _, new in new })
    }

    private static func segment() throws -> LoopbackResource {
        LoopbackResource(try #require(try StreamLadder(isMP4: false).files["large-0.ts"]))
    }

    private func refusal(
        _ server: LoopbackServer, _ path: String = "/list.m3u8", within limit: Duration = .seconds(20)
    ) throws -> SnapError {
        let start = ContinuousClock.now
        let error = failure(of: .url(server.url(path)), at: .seconds(1), opening: .oneThread(timeout: limit))
        #expect(ContinuousClock.now - start < limit + Patience.atMost(.seconds(2)))
        return try #require(error)
    }

    // MARK: Segments

    @Test("A segment that comes in odd ways is read all the same")
    func oddAnswers() throws {
        let changes: [@Sendable (inout LoopbackResource) -> Void] = [
            { $0.acceptsRanges = false },
            { ($0.acceptsRanges, $0.isChunked) = (false, true) },
            { ($0.acceptsRanges, $0.tellsLength) = (false, false) },
            { $0.isChunked = true },
            { $0.largestRange = 3000 },
            { $0.drip = .milliseconds(2) },
            { ($0.statuses, $0.retryAfter) = ([503], "1") },
        ]
        for change in changes {
            let server = try Self.server(["/segment": try Self.segment().with(change)])
            let taken = try snapshot(of: .url(server.url("/list.m3u8")), at: .seconds(1))
            #expect(FrameNumberPattern.number(in: taken.picture.rgb) == 25)
            #expect(taken.receipt.status == .ok)
        }
    }

    @Test("Byte ranges of segments from a server that has none are found in the whole")
    func rangesIgnored() throws {
        let entry = try #require(StreamCase.matrix.first { $0.description == "fmp4 byte-range muxed plain" })
        let stream = try entry.make()
        let server = try LoopbackServer(stream.resources.mapValues { $0.with { $0.acceptsRanges = false } })
        let time = MediaTime(seconds: 5)
        let taken = try snapshot(of: .url(server.url("/stream/" + stream.entry)), at: .time(time))
        let number = FrameNumberPattern.number(in: taken.picture.rgb)
        #expect(number.map(StreamCase.Answer.frame) == stream.answer(at: time))
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        var limit = Duration.seconds(20)
        let code: SnapError.Code
        let exitCode: Int32
        /// What the sentence holds.
        let words: [String]
        let change: @Sendable (inout LoopbackResource) -> Void
        var testDescription: String { name }
    }

    @Test(
        "A segment that can't be had gets a sentence",
        arguments: [
            Case(
                name: "stalls in mid-body", limit: .seconds(1), code: .timedOut, exitCode: 75,
                words: ["within 1 s; it waited for bytes of http", "/segment", "--timeout"]
            ) { $0.stallAfter = 3000 },
            Case(
                name: "drips", limit: .seconds(1), code: .timedOut, exitCode: 75, words: ["within 1 s", "--timeout"]
            ) { $0.drip = .milliseconds(400) },
            Case(
                name: "a wrong length", code: .network, exitCode: 69,
                words: ["/segment", "Content-Range", "Content-Length"]
            ) { $0.contentLength = "77" },
            Case(
                name: "a wrong range", code: .network, exitCode: 69, words: ["/segment", "asked for bytes 0-"]
            ) { $0.contentRange = "bytes 5-131076/1000000" },
            Case(
                name: "compressed", code: .network, exitCode: 69, words: ["/segment", "compresses"]
            ) { $0.fields = ["Content-Encoding: gzip"] },
            Case(
                name: "another one with each request", code: .network, exitCode: 69,
                words: ["/segment", "it changed on the server while it was read"]
            ) { ($0.entityTags, $0.largestRange) = (["\"1\"", "\"2\""], 3000) },
            Case(
                name: "to this machine's files", code: .refusedAddress, exitCode: 69,
                words: ["/segment", "redirects to what can't be opened"]
            ) { $0.redirect = "file:///etc/passwd" },
            Case(
                name: "into a private network", code: .refusedAddress, exitCode: 69,
                words: ["192.168.1.1", "a private network"]
            ) { $0.redirect = "http://192.168.1.1/x.ts" },
            Case(
                name: "to the cloud's secrets", code: .refusedAddress, exitCode: 69,
                words: ["169.254.169.254", "a link-local address"]
            ) { $0.redirect = "http://169.254.169.254/latest" },
            Case(
                name: "to itself, without end", code: .network, exitCode: 69,
                words: ["/segment", "more than 5 redirects"]
            ) { $0.redirect = "/segment" },
            Case(
                name: "cut off, again and again", code: .network, exitCode: 69, words: ["/segment", "tried 3 times"]
            ) { $0.cutAfter = 0 },
        ])
    func segments(_ behaviour: Case) throws {
        let server = try Self.server(["/segment": try Self.segment().with(behaviour.change)])
        let error = try refusal(server, within: behaviour.limit)
        #expect(error.code == behaviour.code && error.exitCode == behaviour.exitCode, "\(error)")
        for word in behaviour.words { #expect(error.description.contains(word), "\(error)") }
    }

    // MARK: Playlists

    @Test("A list of variants that names itself, or another such list, ends there")
    func circles() throws {
        let variant = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\n"
        let server = try LoopbackServer([
            "/list.m3u8": LoopbackResource(Array((variant + "list.m3u8").utf8)),
            "/a.m3u8": LoopbackResource(Array((variant + "b.m3u8").utf8)),
            "/b.m3u8": LoopbackResource(Array((variant + "a.m3u8").utf8)),
        ])
        for path in ["/list.m3u8", "/a.m3u8"] {
            let error = try refusal(server, path)
            #expect(error.code == .notMedia && error.exitCode == 65)
            #expect(error.message.contains("names variants again"), "\(error)")
        }
        #expect(server.log.count == 4)
    }

    @Test("A playlist that is too large is given up where it passes its limit")
    func large() throws {
        let head = Array("#EXTM3U\n#EXT-X-TARGETDURATION:1\n".utf8)
        func repeating(_ text: String, size: Int64) -> LoopbackResource {
            let bytes = Array(text.utf8)
            return LoopbackResource(size: size) { range in
                range.map { $0 < head.count ? head[Int($0)] : bytes[(Int($0) - head.count) % bytes.count] }
            }
        }
        let entry = "#EXTINF:1,\na.ts\n"
        let cases: [(LoopbackResource, SnapError.Code, String)] = [
            (repeating(entry, size: 16_000_000), .tooManyBytes, "the playlist is longer than 8388608 bytes"),
            (repeating(entry, size: 960_000), .notMedia, "50000 segments"),
            (repeating("x", size: 100_000_000), .tooManyBytes, "the playlist is longer than 8388608 bytes"),
            (repeating("x", size: 1_000_000), .notMedia, "65536 bytes"),
        ]
        for (resource, code, words) in cases {
            let server = try LoopbackServer(["/list.m3u8": resource])
            let error = try refusal(server)
            #expect(error.code == code && error.exitCode == 65, "\(error)")
            #expect(error.message.contains(words), "\(error)")
            // What the sockets hold comes on top.
            #expect(server.log.count == 1 && server.bytesSent < 24_000_000)
        }
    }

    @Test("A compressed playlist is measured as it is unpacked")
    func bomb() throws {
        let packed = try ProcessRunner.run(
            "bash", ["-c", "(printf '#EXTM3U\\n#'; head -c 100000000 /dev/zero) | gzip -9 -c"]
        ).standardOutput
        #expect(packed.count < 200_000)
        let server = try LoopbackServer([
            "/list.m3u8": LoopbackResource(packed).with { $0.fields = ["Content-Encoding: gzip"] }
        ])
        let error = try refusal(server)
        #expect(error.code == .tooManyBytes && error.message.contains("8388608 bytes"), "\(error)")
    }

    @Test("A playlist that stalls or drips ends at the deadline")
    func slowLists() throws {
        for change in [{ $0.stallAfter = 20 }, { $0.drip = .seconds(5) }, { $0.delay = .seconds(5) }]
            as [@Sendable (inout LoopbackResource) -> Void]
        {
            let list = "#EXTM3U\n" + String(repeating: "#EXTINF:2,\n/segment\n", count: 1000)
            let server = try LoopbackServer(["/list.m3u8": LoopbackResource(Array(list.utf8)).with(change)])
            let error = try refusal(server, within: .seconds(1))
            #expect(error.code == .timedOut && error.exitCode == 75, "\(error)")
            #expect(error.message.contains("within 1 s") && error.message.contains("--timeout"))
        }
    }

    // MARK: Keys, and what is none

    private static let keyLine = "#EXT-X-KEY:METHOD=AES-128,URI=\"/key\"\n"

    @Test("A key of 15 or 17 bytes is named, and nothing is decrypted with it", arguments: [0, 15, 17])
    func keys(_ size: Int) throws {
        let server = try Self.server(
            ["/segment": try Self.segment(), "/key": LoopbackResource([UInt8](repeating: 1, count: size))],
            key: Self.keyLine)
        let error = try refusal(server)
        #expect(error.code == .encrypted && error.exitCode == 65, "\(error)")
        #expect(error.message.contains("/key") && error.message.contains("16 bytes, and this has \(size)"), "\(error)")
    }

    @Test("A page instead of a key is too long for one")
    func page() throws {
        let server = try Self.server(
            ["/segment": try Self.segment(), "/key": .pattern(size: 1 << 30)], key: Self.keyLine)
        let error = try refusal(server)
        #expect(error.code == .tooManyBytes && error.message.contains("the key is longer than 1024 bytes"), "\(error)")
    }

    @Test("A playlist under a video's name is not followed")
    func disguised() throws {
        let list = "#EXTM3U\n#EXTINF:2,\n/segment\n#EXT-X-ENDLIST"
        let server = try LoopbackServer([
            "/a.mp4": LoopbackResource(Array(list.utf8)), "/segment": try Self.segment(),
        ])
        let error = try refusal(server, "/a.mp4")
        #expect(error.code == .notAVideoItself && error.exitCode == 65, "\(error)")
        #expect(error.message.contains("an HLS playlist, which is read as one where its name ends in .m3u8"))
        #expect(server.log.allSatisfy { $0.path == "/a.mp4" })
    }
}
