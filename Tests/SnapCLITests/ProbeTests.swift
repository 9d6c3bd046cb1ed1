import Foundation
import TestSupport
import Testing

@Suite struct ProbeTests {
    @Test func linesForPeopleNameTheCodec() throws {
        let folder = try SnapProcess.folder()
        let result = try SnapProcess.run("probe", "video.mp4", in: folder)
        #expect(result.exitCode == 0 && result.messages == "")
        #expect(result.lines.first == "video.mp4")
        #expect(result.output.contains("h264"))
    }

    @Test func eachVideoIsAnObjectALine() throws {
        let folder = try SnapProcess.folder()
        let result = try SnapProcess.run("probe", "--json", "video.mp4", "nope.mp4", in: folder)
        #expect(result.exitCode == 3)
        #expect(result.messages == "snap: nope.mp4: no such file\n")
        let objects = try result.lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(objects.map { $0["source"] as? String } == ["video.mp4", "nope.mp4"])
        #expect(objects.first?["width"] as? Int == Clip.h264.facts.width)
        #expect(objects.last?["code"] as? String == "not-found")
    }

    @Test func failuresHaveTheirExitCodes() throws {
        let folder = try TemporaryDirectory()
        #expect(try SnapProcess.run("probe", "nope.mp4", in: folder).exitCode == 66)
        #expect(try SnapProcess.run("probe", in: folder).exitCode == 64)
        #expect(try SnapProcess.run("probe", "a", "--at", "1", in: folder).exitCode == 64)
    }
}
