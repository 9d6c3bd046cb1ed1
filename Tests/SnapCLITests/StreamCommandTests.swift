import Foundation
import TestSupport
import Testing

/// What the command says of streams.
@Suite struct StreamCommandTests {
    @Test func datesWithoutAZoneAreTakenForUTCAndThatIsSaid() throws {
        let folder = try TemporaryDirectory()
        let entry = try #require(StreamCase.matrix.first { $0.description == "ts plain muxed plain" })
        let list = try entry.make().write(to: folder.path)
        let text = try String(contentsOfFile: list, encoding: .utf8)
        let first = try #require(text.range(of: "#EXTINF"))
        let dated = text.replacingCharacters(in: first, with: "#EXT-X-PROGRAM-DATE-TIME:2026-11-20T18:00:00\n#EXTINF")
        try Data(dated.utf8).write(to: URL(fileURLWithPath: list))
        let noted = try SnapProcess.run(list, "--at", "2026-11-20T18:00:03Z", "-o", "t.jpg", in: folder)
        #expect(noted.exitCode == 0 && noted.lines == ["t.jpg"])
        #expect(noted.messages.contains("no time zone: they are taken for UTC"))
        let plain = try SnapProcess.run(list, "--at", "3", "-o", "t.jpg", in: folder)
        #expect(plain.exitCode == 0 && plain.messages == "")
    }
}
