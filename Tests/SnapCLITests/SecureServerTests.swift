import TestSupport
import Testing

/// The command and a server whose certificate no system knows.
@Suite("--cacert")
struct SecureServerTests {
    @Test("A server's own authority is trusted when its file is given, and named as the way out when it isn't")
    func authority() throws {
        let folder = try TemporaryDirectory()
        let server = try NginxServer(StreamLadder(isMP4: true).files, isHTTP2: true)
        let url = server.url("/master.m3u8")
        let refused = try SnapProcess.run(url, "--at", "3", "-o", "a.jpg", in: folder)
        #expect(refused.exitCode == 69 && refused.output.isEmpty)
        #expect(refused.messages.split(separator: "\n").count == 1)
        #expect(refused.messages.contains("certificate") && refused.messages.contains("with --cacert"))
        #expect(try folder.files().isEmpty)

        let taken = try SnapProcess.run(
            url, "--at", "3", "-o", "a.png", "--cacert", server.authorityFile, in: folder)
        #expect(taken.exitCode == 0, "\(taken.messages)")
        let picture = try FFmpegOracle.pictures(of: folder.path("a.png"), width: 640, height: 360).first
        #expect(FrameNumberPattern.number(in: try #require(picture)) == 75)

        let unreadable = try SnapProcess.run(url, "--at", "3", "-o", "a.jpg", "--cacert", "/dev/null", in: folder)
        #expect(unreadable.exitCode == 69 && unreadable.messages.contains("PEM"), "\(unreadable.messages)")
    }
}
