import Foundation
import Snap
import TestSupport
import Testing

/// The command as people and scripts see it.
@Suite struct CommandTests {
    @Test func thePathOfThePictureIsAllThatIsPrinted() throws {
        let folder = try SnapProcess.folder()
        let result = try SnapProcess.run("video.mp4", "--at", "1.0", in: folder)
        #expect(result.exitCode == 0)
        #expect(result.output == "video-00-00-01.000.jpg\n")
        #expect(result.messages == "")
        #expect(try folder.files() == ["video-00-00-01.000.jpg", "video.mp4"])
        #expect(try folder.read("video-00-00-01.000.jpg").prefix(3) == [0xff, 0xd8, 0xff])
    }

    /// In such a sandbox, Swift's runtime knows no words, and libdispatch crashes now and then.
    @Test(.enabled(if: hidingProc(["true"])?.exitCode == 0)) func aSandboxWithoutProcIsTold() throws {
        let folder = try SnapProcess.folder()
        let result = try #require(Self.hidingProc([SnapProcess.path, "video.mp4", "--at", "1"], in: folder.path))
        #expect(result.exitCode == 69 && result.output.isEmpty)
        #expect(result.messages.hasPrefix("snap: there is no /proc, "))
        #expect(try folder.files() == ["video.mp4"])
    }

    /// Runs a command that sees an empty /proc; `nil` where there is nothing to do that with.
    private static func hidingProc(_ words: [String], in folder: String = "/") -> ProcessRunner.Result? {
        let hide = ["-r", "-m", "sh", "-c", "mount -t tmpfs none /proc && exec \"$@\"", "sh"]
        return try? ProcessRunner.run("unshare", hide + words, in: folder, limit: 60)
    }

    @Test func pathsComeInTheOrderAsked() throws {
        let folder = try SnapProcess.folder()
        let result = try SnapProcess.run("video.mp4", "--at", "2,0.5,50%,1", "--size", "64", in: folder)
        #expect(
            result.lines == ["00-00-02.000", "00-00-00.500", "00-00-01.200", "00-00-01.000"].map { "video-\($0).jpg" })
        #expect(result.exitCode == 0)
    }

    @Test func withoutATimeTheFrameIsReported() throws {
        let folder = try SnapProcess.folder()
        let result = try SnapProcess.run("video.mp4", in: folder)
        #expect(result.exitCode == 0)
        #expect(result.messages.contains("snap: video.mp4: auto: the frame at 00:00:0"))
        #expect(try folder.files().count == 2)
        #expect(try SnapProcess.run("video.mp4", "--quiet", in: folder).messages == "")
    }

    @Test func fewerDistinctPicturesThanAskedForAreNotedOnce() throws {
        let folder = try TemporaryDirectory()
        try folder.write(try Clip.scenes([.bars, .rings, .bars, .rings]).bytes(), to: "video.mp4")
        let result = try SnapProcess.run("video.mp4", "--distinct", "6", "--json", in: folder)
        #expect(result.exitCode == 0)
        let count = result.lines.count
        #expect(2...5 ~= count)
        let note = "\(count) distinct pictures instead of 6, for no more were found that differ"
        #expect(result.messages == "snap: video.mp4: \(note)\n")
        for line in result.lines { #expect(line.contains("\"notes\":[\"\(note)\"]")) }
        #expect(try SnapProcess.run("video.mp4", "--distinct", "2", in: folder).messages == "")
        #expect(try SnapProcess.run("video.mp4", "--distinct", "6", "--quiet", in: folder).messages == "")
    }

    @Test func distinctPicturesOfTwoVideosOfOneNameAreNotTakenForOne() throws {
        let folder = try TemporaryDirectory()
        for name in ["a", "b"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
            let clip = Clip.scenes(name == "a" ? [.rings, .bars, .rings] : [.bars, .black, .rings])
            try folder.write(try clip.bytes(), to: "\(name)/video.mp4")
        }
        let result = try SnapProcess.run("a/video.mp4", "b/video.mp4", "--distinct", "1", "--quiet", in: folder)
        #expect(result.exitCode != 64, "\(result.messages)")
    }

    @Test func aTimePastTheEndIsNoted() throws {
        let folder = try SnapProcess.folder()
        let result = try SnapProcess.run("video.mp4", "--at", "10", in: folder)
        #expect(result.exitCode == 0)
        #expect(result.output == "video-00-00-10.000.jpg\n")
        #expect(
            result.messages
                == "snap: video.mp4: 00:00:10.000: past the end; this is the last frame, at 00:00:02.360\n")
        #expect(try SnapProcess.run("video.mp4", "--at", "10", "--strict", in: folder).exitCode == 65)
    }

    @Test func seriesFillTemplates() throws {
        let folder = try SnapProcess.folder()
        let result = try SnapProcess.run(
            "video.mp4", "--every", "0.5s", "--from", "0.5", "--size", "64", "-o", "shots/{stem}-{index:04}-{ms}.jpg",
            in: folder)
        #expect(result.exitCode == 0)
        #expect(
            result.lines == [
                "shots/video-0001-500.jpg", "shots/video-0002-1000.jpg", "shots/video-0003-1500.jpg",
                "shots/video-0004-2000.jpg",
            ])
        #expect(try folder.files() == result.lines + ["video.mp4"])
    }

    @Test func aPictureMayGoToAPipe() throws {
        let folder = try SnapProcess.folder()
        for (format, start) in [("jpg", [0xff, 0xd8]), ("png", [0x89, 0x50])] as [(String, [UInt8])] {
            let result = try SnapProcess.run("video.mp4", "--at", "1", "-o", "-", "--format", format, in: folder)
            #expect(result.exitCode == 0)
            #expect(Array(result.standardOutput.prefix(2)) == start)
            #expect(result.messages == "")
        }
        #expect(try folder.files() == ["video.mp4"])
    }

    @Test func aVideoMayComeThroughAPipe() throws {
        let folder = try TemporaryDirectory()
        let result = try SnapProcess.run("-", "--at", "1", input: try Clip.h264.bytes(), in: folder)
        #expect(result.exitCode == 0)
        #expect(result.output == "stdin-00-00-01.000.jpg\n")
    }

    @Test func receiptsAreOneObjectALine() throws {
        let folder = try SnapProcess.folder()
        let result = try SnapProcess.run("video.mp4", "nope.mp4", "--at", "1,2", "--json", in: folder)
        #expect(result.exitCode == 3)
        #expect(result.messages == "snap: nope.mp4: no such file\n")
        let receipts = try result.lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(receipts.map { $0["status"] as? String } == ["ok", "ok", "failed", "failed"])
        #expect(receipts.map { $0["code"] as? String } == ["ok", "ok", "not-found", "not-found"])
        #expect(receipts[0]["output"] as? String == "video-00-00-01.000.jpg")
        #expect(receipts[0]["bytes"] as? Int == (try folder.read("video-00-00-01.000.jpg").count))
    }

    @Test(arguments: ["a b.mp4", "line\nbreak.mp4", "%d%%03d.mp4", "ünï — 映画.mp4", "'$(touch x)'.mp4", "{stem}.mp4"])
    func oddNamesAreNames(_ name: String) throws {
        let folder = try SnapProcess.folder(with: name)
        let result = try SnapProcess.run(name, "--at", "1", in: folder)
        #expect(result.exitCode == 0)
        let picture = name.dropLast(4) + "-00-00-01.000.jpg"
        #expect(result.output == picture + "\n")
        #expect(Set(try folder.files()) == [name, String(picture)])
    }

    @Test func aNameMayStartWithADash() throws {
        let folder = try SnapProcess.folder(with: "--at.mp4")
        #expect(try SnapProcess.run("--at", "1", "--", "--at.mp4", in: folder).output == "--at-00-00-01.000.jpg\n")
        #expect(try SnapProcess.run("./--at.mp4", "--at", "1", "-o", "-x.jpg", in: folder).output == "-x.jpg\n")
    }

    @Test func aVideoMayBeCalledLikeASubcommand() throws {
        let folder = try SnapProcess.folder(with: "take")
        #expect(try SnapProcess.run("--at", "1", "take", in: folder).output == "take-00-00-01.000.jpg\n")
    }

    /// FFmpeg's libraries are still being initialized then by another thread.
    @Test func leavingEarlyDoesNotCrash() throws {
        let folder = try TemporaryDirectory()
        for _ in 0..<60 {
            let run = try SnapProcess.run("probe", "a", "--at", "1", in: folder)
            #expect(run.exitCode == 64, "\(run.messages)")
        }
    }

    @Test func helpAndVersionGoToStandardOutput() throws {
        let folder = try TemporaryDirectory()
        let help = try SnapProcess.run("--help", in: folder)
        #expect(help.exitCode == 0 && help.messages == "")
        for option in ["--at", "--every", "--size", "--output", "--timeout", "--header", "EXAMPLES", "EXIT CODES"] {
            #expect(help.output.contains(option))
        }
        #expect(help.lines.allSatisfy { $0.count <= 80 })
        let version = try SnapProcess.run("--version", in: folder)
        #expect(version.exitCode == 0)
        #expect(version.lines.count == 2)
        #expect(version.lines[0] == "snap \(Version.current)")
        #expect(version.lines[1].hasPrefix("FFmpeg "))
        #expect(try SnapProcess.run("probe", "--version", in: folder).lines == version.lines)
    }
}
