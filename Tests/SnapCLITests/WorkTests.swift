import Foundation
import Snap
import TestSupport
import Testing

@testable import SnapCLI

@Suite struct TallyTests {
    @Test(arguments: SnapError.Code.allCases)
    func oneFailureHasItsOwnCode(_ code: SnapError.Code) {
        var tally = Tally()
        tally.failed(SnapError(code, "").exitCode)
        #expect(tally.exitCode == SnapError(code, "").exitCode)
        tally.succeeded()
        #expect(tally.exitCode == 3)
    }

    @Test func severalSayWhetherSomethingIsLeft() {
        var tally = Tally()
        #expect(tally.exitCode == 0)
        tally.failed(66)
        tally.failed(65)
        #expect(tally.exitCode == 1)
        tally.succeeded()
        #expect(tally.exitCode == 3)
    }
}

@Suite struct ClaimedPathsTests {
    @Test func onePathBelongsToOnePicture() {
        var claimed = ClaimedPaths(protecting: [])
        #expect(claimed.claim("a/b.jpg", for: "one") == nil)
        #expect(claimed.claim("a/c.jpg", for: "two") == nil)
        #expect(claimed.claim("/a/b.jpg", for: "three") == nil)
        #expect(claimed.claim("./a//b.jpg", for: "four")?.contains("two pictures (one and four)") == true)
    }

    @Test func onePlaceIsOnePlaceHoweverItIsSpelled() throws {
        let folder = try TemporaryDirectory()
        try folder.write([], to: "real/deep/file")
        for (link, target) in [("alias", "real/deep"), ("real/deep/root", "/")] {
            try FileManager.default.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
        }
        let same = [
            "real/a.jpg", "./real//a.jpg", "real/deep/../a.jpg", "alias/../a.jpg", "new/../real/a.jpg",
            "real/new/deeper/../../a.jpg", "real/../new/./../alias/../a.jpg",
        ]
        var paths = ResolvedPaths()
        let expected = paths.resolve(folder.path("real/a.jpg"))
        for path in same { #expect(paths.resolve(folder.path(path)) == expected, "\(path)") }
        #expect(paths.resolve("a.jpg") == paths.resolve(FileManager.default.currentDirectoryPath + "/new/../a.jpg"))
        #expect(paths.resolve(folder.path("alias/root/a.jpg")) == "/a.jpg")
        #expect(paths.resolve("/../new/a.jpg") == "/new/a.jpg")
        #expect(paths.resolve(folder.path("alias/new/a.jpg")) == paths.resolve(folder.path("real/deep/new/a.jpg")))
        // A link in the place of the picture would be replaced, not followed.
        #expect(paths.resolve(folder.path("alias")) != paths.resolve(folder.path("real/deep")))
        // Also when more folders were seen than are kept.
        for number in 0..<3000 {
            #expect(paths.resolve(folder.path("n\(number)/../real/a.jpg")) == expected)
        }
    }

    @Test func aVideoIsNotWrittenOver() throws {
        let folder = try TemporaryDirectory()
        let video = try folder.write([1], to: "video.jpg")
        var claimed = ClaimedPaths(protecting: [.file(video)])
        #expect(claimed.claim(folder.path + "/./video.jpg", for: "it")?.contains("over the video") == true)
    }
}

@Suite struct ConsoleTests {
    @Test func controlCharactersAreShownNotSent() {
        #expect(Console.visible("a\nb\u{1b}[2Jü\t\u{9b}\0") == "a\\nb\\x1b[2Jü\\t\\x9b\\x00")
    }
}
