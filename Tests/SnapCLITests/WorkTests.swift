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
