import Foundation
import TestSupport
import Testing

/// A file is there whole or not at all, and standard output carries nothing else.
@Suite struct OutputTests {
    @Test func aFileIsReplacedUnlessItIsToBeKept() throws {
        let folder = try SnapProcess.folder()
        try folder.write([1, 2, 3], to: "t.jpg")
        let skipped = try SnapProcess.run("video.mp4", "--at", "1", "-o", "t.jpg", "--skip-existing", in: folder)
        #expect(skipped.exitCode == 0)
        #expect(skipped.output == "")
        #expect(skipped.messages.contains("t.jpg is there already"))
        #expect(try folder.read("t.jpg") == [1, 2, 3])
        #expect(try SnapProcess.run("video.mp4", "--at", "1", "-o", "t.jpg", in: folder).exitCode == 0)
        #expect(try folder.read("t.jpg").count > 100)
    }

    @Test func aSkippedVideoIsNotEvenOpened() throws {
        let folder = try TemporaryDirectory()
        try folder.write([1], to: "t.jpg")
        let result = try SnapProcess.run(
            "gone.mp4", "--at", "1", "-o", "t.jpg", "--skip-existing", "--json", in: folder)
        #expect(result.exitCode == 0)
        #expect(result.output.contains(#""status":"skipped""#))
    }

    @Test func someOfASeriesMayBeThere() throws {
        let folder = try SnapProcess.folder()
        try folder.write([1], to: "2.jpg")
        let result = try SnapProcess.run(
            "video.mp4", "--every", "0.5s", "--from", "0.5s", "-o", "{index}.jpg", "--skip-existing", in: folder)
        #expect(result.exitCode == 0)
        #expect(result.lines == ["1.jpg", "3.jpg", "4.jpg"])
        #expect(try folder.read("2.jpg") == [1])
    }

    @Test func aFolderTakesTheImpliedName() throws {
        let folder = try SnapProcess.folder()
        try FileManager.default.createDirectory(atPath: folder.path("{x}"), withIntermediateDirectories: true)
        #expect(
            try SnapProcess.run("video.mp4", "--at", "1", "-o", "{x}", in: folder).output
                == "{x}/video-00-00-01.000.jpg\n")
        #expect(
            try SnapProcess.run("video.mp4", "--at", "1", "-o", "new/{stem}/", in: folder).output
                == "new/video/video-00-00-01.000.jpg\n")
    }

    @Test func aFolderInTheWayIsLeftAlone() throws {
        let folder = try SnapProcess.folder()
        try FileManager.default.createDirectory(atPath: folder.path("video.jpg"), withIntermediateDirectories: true)
        let result = try SnapProcess.run("video.mp4", "--at", "1", "-o", "{stem}.jpg", in: folder)
        #expect(result.exitCode == 73)
        #expect(result.messages.contains("video.jpg: cannot be written: a folder"))
        #expect(try folder.files() == ["video.mp4"])
    }

    /// Needs the right to mount.
    @Test(.enabled(if: SmallDisk.isPossible))
    func aFullDiskLeavesNoHalfFile() throws {
        let folder = try SnapProcess.folder()
        let disk = try SmallDisk(at: folder.path("disk"), kilobytes: 16)
        defer { disk.unmount() }
        let result = try SnapProcess.run("video.mp4", "--at", "1", "-o", "disk/t.png", in: folder)
        #expect(result.exitCode == 73)
        #expect(result.messages.contains("no space left"))
        #expect(try folder.files() == ["video.mp4"])
    }

    @Test func aFullStandardOutputIsAnError() throws {
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        let folder = try SnapProcess.folder()
        for output in ["-o -", ""] {
            let result = try SnapProcess.shell("snap video.mp4 --at 1 \(output) >/dev/full; echo $? >&2", in: folder)
            #expect(result.messages == "snap: standard output: cannot be written: no space left on device\n73\n")
        }
    }

    @Test(arguments: ["-o -", "--json", "--quiet"])
    func aClosedStandardOutputIsAnError(_ options: String) throws {
        let folder = try SnapProcess.folder()
        let result = try SnapProcess.shell("snap video.mp4 --at 1 \(options) >&-; echo $? >&2", in: folder)
        #expect(result.messages == "snap: standard output: cannot be written: it is closed\n73\n")
    }

    /// The links lie in the folder: what would replace them leaves those in /dev alone.
    @Test(.enabled(if: OpenFiles.haveLinks), arguments: ["out.jpg", "fd/1", "/proc/self/fd/1", "up/out.jpg"])
    func standardOutputMayBeNamedByAPath(_ path: String) throws {
        let folder = try SnapProcess.folder()
        let result = try SnapProcess.shell(
            """
            ln -s /proc/self/fd/1 out.jpg; ln -s /proc/self/fd fd; ln -s . up; snap video.mp4 --at 1 -o - > expected
            take="snap video.mp4 --at 1 --format jpg -o \(path)"
            $take > file && cmp file expected || exit 1
            { echo before; $take; } > file && { echo before; cat expected; } | cmp - file || exit 2
            $take >> file && { echo before; cat expected expected; } | cmp - file || exit 3
            $take | cmp - expected || exit 4
            $take --json; [ $? = 64 ] || exit 5
            snap batch video.mp4 --at 1 --format jpg -o \(path); [ $? = 64 ] || exit 6
            [ -L out.jpg ] || exit 7
            """, in: folder)
        #expect(result.exitCode == 0 && result.output == "", "\(result.messages)")
    }

    @Test(.enabled(if: OpenFiles.haveLinks))
    func whatIsOpenElseMayBeNamedByAPath() throws {
        let folder = try SnapProcess.folder()
        let result = try SnapProcess.shell(
            """
            ln -s /proc/self/fd fd; ln -s fd/1 out.png; snap video.mp4 --at 1 -o - > expected
            take="snap video.mp4 --at 1 --format jpg -o"
            $take fd/2 2> file && cmp file expected || exit 1
            $take fd/3 3> file && cmp file expected || exit 2
            $take fd/3 > file 3>&1 && cmp file expected || exit 3
            $take fd/999; [ $? = 73 ] || exit 4
            snap video.mp4 --at 1 -o out.png | head -c 4 | tail -c 3
            """, in: folder)
        #expect(result.exitCode == 0, "\(result.messages)")
        #expect(result.output == "fd/2\nfd/3\nPNG")
    }

    @Test func aLinkToNothingIsNoPicture() throws {
        let folder = try SnapProcess.folder()
        for words in [["video.mp4"], ["batch", "video.mp4"]] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("video.jpg"), withDestinationPath: "nowhere")
            let result = try ProcessRunner.run(
                SnapProcess.path, words + ["--at", "1", "-o", "{stem}.jpg", "--skip-existing"], in: folder.path)
            #expect(result.exitCode == 0 && result.output == "video.jpg\n", "\(result.messages)")
            #expect(try folder.read("video.jpg").count > 100)
            try FileManager.default.removeItem(atPath: folder.path("video.jpg"))
        }
    }

    @Test func aReceiptSaysWhichFileCannotBeWritten() throws {
        let folder = try SnapProcess.folder()
        for words in [["video.mp4"], ["batch", "video.mp4"]] {
            let result = try ProcessRunner.run(
                SnapProcess.path, words + ["--at", "1", "-o", "video.mp4/{stem}.jpg", "--json"], in: folder.path)
            let facts = #""code":"cannot-write","message":"video.mp4/video.jpg: cannot be written: "#
            #expect(result.output.contains(facts), "\(result.output)")
        }
    }

    @Test func aReaderThatGoesAwayEndsItQuietly() throws {
        let folder = try SnapProcess.folder()
        for output in ["-o - --at 1", "--every 0.2s --json"] {
            let result = try SnapProcess.shell(
                "snap video.mp4 \(output) | exec 0<&-; echo ${PIPESTATUS[0]}", in: folder)
            #expect(result.output == "141\n")
            #expect(result.messages == "")
        }
        #expect(try folder.files().allSatisfy { !$0.hasSuffix(".part") })
    }

    @Test func pictureBytesAreNotWrittenToATerminal() throws {
        let folder = try SnapProcess.folder()
        guard (try? ProcessRunner.run("script", ["--version"])) != nil else { return }
        let result = try ProcessRunner.run(
            "script", ["-qec", "'\(SnapProcess.path)' video.mp4 --at 1 -o -", "/dev/null"], in: folder.path)
        #expect(result.exitCode == 64)
        #expect(result.output.contains("not written to a terminal"))
    }
}

/// What a process has open, by paths.
private enum OpenFiles {
    /// As Linux has them.
    static let haveLinks = FileManager.default.fileExists(atPath: "/proc/self/fd/0")
}
