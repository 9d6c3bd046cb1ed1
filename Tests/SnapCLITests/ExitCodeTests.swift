import Foundation
import TestSupport
import Testing

/// Every kind of failure: its exit code, one sentence on standard error, nothing on standard output, no file.
@Suite struct ExitCodeTests {
    @Test(arguments: [
        (["video.mp4", "--at", "soon"], 64, "'soon' is not a time"),
        (["video.mp4", "--at", "1", "-o", "video.mp4", "--format", "jpg"], 64, "over the video"),
        (["video.mp4", "--at", "1", "-o", "{nope}.jpg"], 64, "is not a field"),
        (["video.mp4", "./video.mp4", "--at", "1"], 64, "two pictures"),
        (["video.mp4", "--at", "1,1.0"], 64, "two pictures"),
        (["video.mp4", "other.mp4", "--at", "auto", "-o", "t.jpg"], 64, "two pictures"),
        (["video.mp4", "other.mp4", "--every", "1", "-o", "{index}.jpg"], 64, "two pictures"),
        (["--nonsense"], 64, "unknown option '--nonsense'"),
        (["ftp://host/video.mp4"], 64, "snap: ftp://host/video.mp4: no such file, and of URLs, only those of http"),
        (["file:///video.mp4"], 64, "name a file by its path"),
        (["probe", "s3://bucket/video.mp4"], 64, "only those of http and https are opened"),
        (["text.mp4", "--at", "1"], 65, "not a video that can be read"),
        (["empty.mp4", "--at", "1"], 65, "the file is empty"),
        (["nope.mp4", "--at", "1"], 66, "no such file"),
        (["nope.mp4", "--at", "1,2"], 66, "no such file"),
        ([".", "--at", "1"], 66, "a folder"),
        (
            ["http://127.0.0.1:1/video.mp4", "--at", "1"], 69,
            "snap: http://127.0.0.1:1/video.mp4: 127.0.0.1 takes no connection"
        ),
        (["video.mp4", "--at", "1", "-o", "text.mp4/x.jpg"], 73, "text.mp4/x.jpg: cannot be written"),
        (["video.mp4", "--at", "1", "-o", "/proc/snap/x.jpg"], 73, "cannot be written"),
        (["nope.mp4", "neither.mp4", "--at", "1"], 1, "no such file"),
    ])
    func failuresSayWhyAndLeaveNothing(_ words: [String], _ code: Int32, _ sentence: String) throws {
        let folder = try SnapProcess.folder()
        try folder.write(Array("a letter\n".utf8), to: "text.mp4")
        try folder.write([], to: "empty.mp4")
        let before = try folder.files()
        let result = try ProcessRunner.run(SnapProcess.path, words, in: folder.path)
        #expect(result.exitCode == code, "\(result.messages)")
        #expect(result.output == "")
        #expect(result.messages.contains(sentence))
        #expect(result.messages.split(separator: "\n").allSatisfy { $0.hasPrefix("snap: ") })
        #expect(try folder.files() == before)
    }

    @Test func aPipeThatGivesNothingTimesOut() throws {
        let folder = try TemporaryDirectory()
        let pipe = try OpenFIFO(folder.path("pipe"))
        let result = try SnapProcess.run("pipe", "--at", "1", "--timeout", "300ms", in: folder, limit: 20)
        #expect(result.exitCode == 75)
        #expect(result.messages.contains("snap: pipe: no picture within 0.3 s"))
        pipe.close()
    }

    @Test func someFailuresAreToldApartFromAll() throws {
        let folder = try SnapProcess.folder()
        let some = try SnapProcess.run("nope.mp4", "video.mp4", "--at", "1", in: folder)
        #expect(some.exitCode == 3)
        #expect(some.output == "video-00-00-01.000.jpg\n")
        let positions = try SnapProcess.run("video.mp4", "--at", "1.5,99", "--strict", in: folder)
        #expect(positions.exitCode == 3)
        #expect(positions.output == "video-00-00-01.500.jpg\n")
        #expect(positions.messages.hasPrefix("snap: video.mp4: 00:01:39.000: "))
    }
}
