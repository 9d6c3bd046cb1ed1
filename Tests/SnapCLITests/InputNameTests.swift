import Snap
import Testing

@testable import SnapCLI

@Suite struct InputNameTests {
    @Test(arguments: [
        ("video.mp4", ".", "video.mp4", "video"),
        ("clips/day 1/a.b.mkv", "clips/day 1", "a.b.mkv", "a.b"),
        ("/video", "/", "video", "video"),
        ("./.hidden", ".", ".hidden", ".hidden"),
        ("%d {x}\n.mp4", ".", "%d {x}\n.mp4", "%d {x}\n"),
        ("-x.mp4", ".", "-x.mp4", "-x"),
        ("-", ".", "stdin", "stdin"),
    ])
    func filesKeepTheirNames(_ argument: String, _ folder: String, _ name: String, _ stem: String) {
        let input = InputName(Source(argument))
        #expect((input.folder, input.name, input.stem) == (folder, name, stem))
    }

    @Test(arguments: [
        ("https://host/a/b/clip.mp4?token=1#x", "clip"),
        ("https://host/my%20clip.mp4", "my clip"),
        ("https://host/..%2f..%2fetc%2fpasswd.mp4", "_.._etc_passwd"),
        ("https://host/%2e%2e", "video"),
        ("https://host/.bashrc", "bashrc"),
        ("https://host/-rf", "rf"),
        ("https://host/a%0ab%1b%00.mp4", "a_b__"),
        ("https://host/%e2%80%ae4pm.mp4", "_4pm"),
        ("https://user:secret@host.example", "host"),
        ("https://host/", "host"),
        ("https://host/---", "video"),
        ("https://host/100%", "100%"),
        ("https://host/%+1x", "%+1x"),
    ])
    func aURLGivesASafeName(_ url: String, _ stem: String) {
        let input = InputName(.url(url))
        #expect(input.stem == stem)
        #expect(input.folder == ".")
        #expect(!input.name.contains("secret"))
    }

    @Test func aLongURLGivesAShortName() {
        let name = InputName.safeName(ofURL: "https://host/" + String(repeating: "ü", count: 500) + ".mp4")
        #expect(name.utf8.count <= InputName.longestName)
        #expect(name.hasSuffix(".mp4"))
    }
}
