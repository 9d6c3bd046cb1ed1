import Snap
import Testing

@testable import SnapCLI

@Suite struct NameTemplateTests {
    private let fields: NameFields = {
        var fields = NameFields(input: InputName(.file("clips/a b.tar.mp4")), index: 7, fileExtension: "jpg")
        fields.time = MediaTime(61_500, over: 1000)
        fields.size = (320, 180)
        return fields
    }()

    @Test(arguments: [
        ("{stem}-{time}.{ext}", "a b.tar-00-01-01.500.jpg"),
        ("{dir}/{name}.jpg", "clips/a b.tar.mp4.jpg"),
        ("{index:04}", "0007"),
        ("{index}", "7"),
        ("{index:2}x{ms:8}", "07x00061500"),
        ("{width}x{height}.png", "320x180.png"),
        ("100%d%%.jpg", "100%d%%.jpg"),
        ("{{stem}}", "{stem}"),
        ("{{{stem}}}", "{a b.tar}"),
        ("plain.jpg", "plain.jpg"),
    ])
    func fieldsAreFilledIn(_ template: String, _ path: String) throws {
        #expect(try NameTemplate(template).path(fields) == path)
    }

    @Test(arguments: [
        ("../a.mp4", "../a.jpg", "out/./a.jpg"), ("/films/x/a.mp4", "/films/x/a.jpg", "out/films/x/a.jpg"),
        ("../../x/../../a.mp4", "../../x/../../a.jpg", "out/x/a.jpg"), ("./x//a.mp4", "./x//a.jpg", "out/x/a.jpg"),
        ("a.mp4", "./a.jpg", "out/./a.jpg"), ("/a.mp4", "//a.jpg", "out/./a.jpg"),
    ])
    func folderStaysInTheOneBeforeIt(_ source: String, _ beside: String, _ within: String) throws {
        let fields = NameFields(input: InputName(.file(source)), index: 1, fileExtension: "jpg")
        #expect(try NameTemplate("{dir}/{stem}.jpg").path(fields) == beside)
        #expect(try NameTemplate("out/{dir}/{stem}.jpg").path(fields) == within)
    }

    @Test(arguments: [
        ("{foo}", "is not a field"), ("{}", "is not a field"), ("{stem", "without its }"), ("stem}", "without its {"),
        ("{stem:04}", "takes no number of digits"), ("{index:}", "number of digits"),
        ("{index:-1}", "number of digits"), ("{index:99}", "number of digits"), ("{index:x}", "number of digits"),
    ])
    func mistakesAreNamed(_ template: String, _ words: String) {
        #expect { try NameTemplate(template) } throws: { ($0 as? SnapError)?.message.contains(words) ?? false }
    }

    @Test func anUnknownFieldListsThoseThatThereAre() {
        #expect { try NameTemplate("{foo}") } throws: { error in
            let message = (error as? SnapError)?.message ?? ""
            return NameTemplate.Field.allCases.allSatisfy { message.contains("{\($0.rawValue)}") }
        }
    }

    @Test func whatIsNotKnownYetLeavesThePathOpen() throws {
        var early = fields
        (early.time, early.size) = (nil, nil)
        #expect(try NameTemplate("{stem}-{index}.jpg").path(early) == "a b.tar-7.jpg")
        #expect(try NameTemplate("{stem}-{time}.jpg").path(early) == nil)
        #expect(try NameTemplate("{ms}.jpg").path(early) == nil)
        #expect(try NameTemplate("{width}.jpg").path(early) == nil)
    }

    @Test(arguments: [
        ("a.jpg", NameTemplate.Extension.jpeg), ("a.JPEG", .jpeg), ("x/{stem}.png", .png), ("{stem}.{ext}", .any),
        ("{stem}", .unknown("")), ("a.b/c", .unknown("")), ("a.gif", .unknown(".gif")), ("{name}", .unknown("")),
    ])
    func theExtensionSaysTheFormat(_ template: String, _ found: NameTemplate.Extension) throws {
        #expect(try NameTemplate(template).fileExtension == found)
    }
}
