import Snap
import SnapBase
import TestSupport
import Testing

/// Streams and videos from a server that others wrote, over TLS, with HTTP/2 and without.
@Suite("nginx")
struct NginxTests {
    /// How a server is spoken to.
    enum Version: String, Sendable, CaseIterable {
        case http1 = "HTTP/1.1"
        case http2 = "HTTP/2.0"
    }

    private func server(_ files: [String: [UInt8]], _ version: Version) throws -> NginxServer {
        try NginxServer(files, isHTTP2: version == .http2)
    }

    private func options(for server: NginxServer) -> VideoOptions {
        var options = VideoOptions.oneThread
        options.certificateFile = server.authorityFile
        return options
    }

    /// Takes a picture; then the server ends and tells what it did.
    private func take(
        _ server: NginxServer, _ path: String, at time: MediaTime
    ) throws -> (number: Int?, receipt: Receipt, exchanges: [NginxServer.Exchange]) {
        let taken = try snapshot(of: .url(server.url(path)), at: .time(time), opening: options(for: server))
        let exchanges = try server.end(afterAnswers: taken.receipt.reading.requests)
        #expect(taken.receipt.status == .ok)
        #expect(taken.receipt.reading.requests == exchanges.count)
        return (FrameNumberPattern.number(in: taken.picture.rgb), taken.receipt, exchanges)
    }

    @Test(
        "A frame of a ladder costs one connection and a request for each thing that it needs",
        arguments: Version.allCases, [false, true])
    func ladder(_ version: Version, _ isMP4: Bool) throws {
        let ladder = try StreamLadder(isMP4: isMP4)
        let (number, receipt, exchanges) = try take(
            server(ladder.files, version), "/master.m3u8", at: MediaTime(seconds: 3))
        #expect(number == 75)
        let wanted =
            ["/master.m3u8", "/large.m3u8"] + (isMP4 ? ["/large-init.mp4"] : []) + ["/large-1.\(isMP4 ? "m4s" : "ts")"]
        #expect(exchanges.map(\.path).sorted() == wanted.sorted())
        #expect(exchanges.allSatisfy { $0.version == version.rawValue })
        #expect(Set(exchanges.map(\.connection)).count == 1 && receipt.reading.connections == 1)
        // Playlists come compressed, segments as they are.
        for exchange in exchanges {
            #expect(exchange.encoding == (exchange.path.hasSuffix(".m3u8") ? "gzip" : nil), "\(exchange)")
        }
        #expect(receipt.reading.bytesRead <= exchanges.reduce(0) { $0 + $1.bytesSent } + 4096)  // unpacked playlists
    }

    @Test("An encrypted stream costs a request for the key besides", arguments: Version.allCases, ["ts", "fmp4"])
    func encrypted(_ version: Version, _ container: String) throws {
        let entry = try #require(StreamCase.matrix.first { $0.description == "\(container) aes-128 muxed plain" })
        let stream = try entry.make()
        let time = MediaTime(seconds: 5)
        let (number, receipt, exchanges) = try take(server(stream.files, version), "/" + stream.entry, at: time)
        #expect(number.map(StreamCase.Answer.frame) == stream.answer(at: time))
        #expect(exchanges.count == (container == "ts" ? 3 : 4), "\(exchanges.map(\.path))")
        #expect(exchanges.allSatisfy { $0.version == version.rawValue })
        #expect(Set(exchanges.map(\.connection)).count == 1 && receipt.reading.connections == 1)
    }

    @Test("Many frames of a stream cost one connection", arguments: Version.allCases)
    func manyFrames(_ version: Version) throws {
        let server = try server(StreamLadder(isMP4: true).files, version)
        let reader = try VideoReader(
            .url(server.url("/master.m3u8")), options: options(for: server), interrupt: Interrupt())
        var last: Receipt?
        for index in [0, 190, 60, 100, 61, 3] {
            let moment = try reader.moment(.time(MediaTime(Int64(index), over: 25)!))
            let taken = try reader.snapshot(at: moment, options: SnapshotOptions())
            #expect(FrameNumberPattern.number(in: taken.picture.rgb) == index)
            last = taken.receipt
        }
        let reading = try #require(last).reading
        let exchanges = try server.end(afterAnswers: reading.requests)
        #expect(exchanges.count <= 3 + 2 * 4)
        if version == .http2 { #expect(Set(exchanges.map(\.connection)).count == 1) }
    }

    @Test(
        "A plain video is read by ranges on one connection", arguments: Version.allCases, [Clip.moovFirst, .moovLast])
    func video(_ version: Version, _ clip: Clip) throws {
        let files = ["clip.mp4": try clip.bytes()]
        let (number, receipt, exchanges) = try take(
            server(files, version), "/clip.mp4", at: clip.facts.time(ofFrame: 40))
        #expect(number == 40)
        #expect(exchanges.allSatisfy { $0.version == version.rawValue && $0.status == 206 && $0.range != nil })
        #expect(exchanges.count <= 3)
        #expect(Set(exchanges.map(\.connection)).count == 1 && receipt.reading.connections == 1)
    }

    @Test("A certificate is for the name that was typed", arguments: ["127.0.0.1", "localhost"])
    func names(_ host: String) throws {
        let clip = Clip.moovFirst
        let server = try server(["clip.mp4": clip.bytes()], .http2)
        let taken = try snapshot(of: .url(server.url("/clip.mp4", host: host)), opening: options(for: server))
        #expect(clip.number(in: taken.picture.rgb) == 0)
        // libcurl knows that such names mean this machine.
        let other = server.url("/clip.mp4", host: "other.localhost")
        let error = try #require(failure(of: .url(other), opening: options(for: server)))
        #expect(error.code == .network && error.exitCode == 69)
        #expect(error.message.contains("other.localhost") && !error.message.contains("--cacert"))  // it would not help
    }

    @Test("An authority that nobody knows is an error, which says what to try", arguments: Version.allCases)
    func untrusted(_ version: Version) throws {
        let server = try server(["clip.mp4": Clip.moovFirst.bytes()], version)
        let error = try #require(failure(of: .url(server.url("/clip.mp4"))))
        #expect(error.code == .network && error.exitCode == 69)
        let advice = "(if you trust this server's own authority, give its certificate with --cacert)"
        #expect(error.message.hasSuffix(advice), "\(error)")
    }
}
