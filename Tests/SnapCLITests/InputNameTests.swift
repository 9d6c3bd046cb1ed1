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
        ("https://host/a/b/clip.mp4?token=1#x", "host/a/b", "clip"),
        ("https://host/my%20clip.mp4", "host", "my clip"),
        ("https://host/..%2f..%2fetc%2fpasswd.mp4", "host", "_.._etc_passwd"),
        ("https://host/%2e%2e", "host", "video"),
        ("https://host/.bashrc", "host", "bashrc"),
        ("https://host/-rf", "host", "rf"),
        ("https://host/a%0ab%1b%00.mp4", "host", "a_b__"),
        ("https://host/%e2%80%ae4pm.mp4", "host", "_4pm"),
        ("https://user:secret@host.example", ".", "host"),
        ("https://user:secret@host.example:8080/a.mp4", "host.example_8080", "a"),
        ("https://[::1]:8080/live/a.mp4", "[__1]_8080/live", "a"),
        ("https://host/", ".", "host"),
        ("https://host/---", "host", "video"),
        ("https://host/100%", "host", "100%"),
        ("https://host/%+1x", "host", "%+1x"),
        ("https://host/../../a/%2e%2e/./.git//~/a%2fb/.%2e%2fx/c.mp4", "host/a/git/~/a_b/_x", "c"),
        ("https://../../a.mp4", ".", "a"),
    ])
    func aURLGivesASafeName(_ url: String, _ folder: String, _ stem: String) {
        let input = InputName(.url(url))
        #expect((input.folder, input.stem) == (folder, stem))
        #expect(!input.name.contains("secret") && !input.folder.contains("secret"))
    }

    @Test func aLongURLGivesShortNames() {
        let long = String(repeating: "ü", count: 500)
        let input = InputName(.url("https://host/\(long)/\(long).mp4"))
        #expect(input.name.utf8.count <= InputName.longestName && input.name.hasSuffix(".mp4"))
        #expect(input.folder.utf8.count <= "host/".utf8.count + InputName.longestName)
        let hidden = InputName(.url("https://host/" + long + ".-" + String(repeating: "x", count: 118)))
        #expect(hidden.name == String(repeating: "x", count: 118))
    }
}
