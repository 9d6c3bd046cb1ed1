import Snap
import Testing

@testable import SnapCLI

/// From the words typed to what is to be done.
@Suite struct OptionConversionTests {
    @Test func withoutOptionsARepresentativeFrameGoesToAFileNamedForItsTime() throws {
        let order = try PictureOrder(words: "a.mp4")
        #expect(order.product.wanted == .positions([.representative]))
        #expect(order.product.destination == .files(.implied))
        #expect(order.product.format == .jpeg)
        #expect(order.product.snapshot == SnapshotOptions())
        #expect(order.video.timeout == .seconds(30))
        #expect(order.video.pixelLimit == VideoOptions().pixelLimit)
        #expect(order.video.byteLimit == VideoOptions().byteLimit)
        #expect(order.printsNotes && !order.printsReceipts && !order.skipsExisting)
    }

    @Test func timesAreListsAndMayBeRepeated() throws {
        let order = try PictureOrder(words: "a.mp4", "--at", "1,50%", "--at=end-1s", "--at", "frame:3, auto")
        #expect(
            order.product.wanted
                == .positions([
                    .seconds(1), .percent(50), .beforeEnd(MediaTime(seconds: 1)), .frame(3), .representative,
                ]))
    }

    @Test func seriesHaveARange() throws {
        let order = try PictureOrder(words: "a.mp4", "--every", "10s", "--from", "5%", "--to", "end-1s")
        let series = Series(
            .every(MediaTime(seconds: 10)), from: .percent(5), to: .beforeEnd(MediaTime(seconds: 1)))
        #expect(order.product.wanted == .series(series))
        #expect(try PictureOrder(words: "a.mp4", "--count", "3").product.wanted == .series(Series(.count(3))))
        let limited = Series(.every(MediaTime(seconds: 1)), limit: 3)
        #expect(try PictureOrder(words: "a.mp4", "--every", "1", "--count", "3").product.wanted == .series(limited))
    }

    @Test func pictureOptionsReachTheLibrary() throws {
        let order = try PictureOrder(
            words: "a.mp4", "--size", "320x180", "--fit", "pad", "--upscale", "--no-rotate", "--keep-sar",
            "--deinterlace", "off", "--hdr", "clip", "--background", "#0a0B0c", "--strict", "--on-damage", "fail",
            "--tolerance",
            "-0.2s,+1s", "-q", "40", "--subsampling", "444", "--progressive", "--no-optimize", "--metadata")
        var wished = SnapshotOptions()
        wished.size = .box(width: 320, height: 180)
        wished.fit = .pad
        wished.upscales = true
        wished.rotates = false
        wished.keepsSampleAspectRatio = true
        wished.deinterlacing = .never
        wished.highDynamicRange = .clipped
        wished.background = RGBColour(red: 10, green: 11, blue: 12)
        wished.isStrict = true
        wished.writesMetadata = true
        wished.onDamage = .fail
        wished.tolerance = Tolerance(before: MediaTime(1, over: 5), after: MediaTime(seconds: 1))
        #expect(order.product.snapshot == wished)
        var jpeg = ImageFormat.JPEGOptions()
        jpeg.quality = 40
        jpeg.subsampling = .yuv444
        jpeg.isProgressive = true
        jpeg.optimizesHuffman = false
        #expect(order.product.format == .jpeg(jpeg))
        #expect(try PictureOrder(words: "a.mp4", "--keyframe").product.snapshot.tolerance == .any)
    }

    @Test(arguments: [
        ("auto", Deinterlacing.automatic), ("on", .always), ("off", .never), ("top", .top), ("bottom", .bottom),
    ])
    func fieldsAreChosenByAWord(word: String, expected: Deinterlacing) throws {
        #expect(try PictureOrder(words: "a.mp4", "--deinterlace", word).product.snapshot.deinterlacing == expected)
        #expect(throws: (any Error).self) { try PictureOrder(words: "a.mp4", "--deinterlace", word + "x") }
    }

    @Test func readingOptionsReachTheLibrary() throws {
        let order = try PictureOrder(
            words: "https://host/a.mp4", "--timeout", "1m30s", "--max-pixels", "2M", "--max-bytes", "10k", "--threads",
            "2", "--header", "X-A: b: c", "--header", "Y:1", "--user-agent", "me", "--allow-private")
        #expect(order.video.timeout == .seconds(90))
        #expect(order.video.pixelLimit == 2 << 20)
        #expect(order.video.byteLimit == 10 << 10)
        #expect(order.video.threads == 2)
        #expect(order.video.headers == [.init(name: "X-A", value: "b: c"), .init(name: "Y", value: "1")])
        #expect(order.video.userAgent == "me")
        #expect(order.video.allowsPrivateAddresses)
        #expect(try PictureOrder(words: "a.mp4", "--timeout", "0").video.timeout == nil)
    }

    @Test(arguments: [
        (["-o", "t.jpg"], "jpg"), (["-o", "t.PNG"], "png"), (["-o", "t.jpg", "--format", "png"], "png"),
        (["--format", "png"], "png"), (["-o", "-"], "jpg"), (["-o", "-", "--format", "png"], "png"),
        (["-o", "shots/"], "jpg"), (["-o", "t", "--format", "jpeg"], "jpg"), (["-o", "{stem}.{ext}"], "jpg"),
    ])
    func theFormatIsThatOfTheExtensionOrAsAsked(_ options: [String], _ format: String) throws {
        let command = try SnapCommand.parse(typed: ["a.mp4"] + options)
        let order = try PictureOrder(try #require(command as? TakeCommand))
        #expect(order.product.format.fileExtension == format)
        #expect(order.product.snapshot.keepsAlpha == (format == "png"))
    }

    @Test(arguments: [
        (["--at", "1"], "no video is named"),
        (["a.mp4", "--at", "1", "--every", "2s"], "--at and --every exclude each other"),
        (["a.mp4", "--at", "1", "--count", "2"], "--at and --count exclude each other"),
        (["a.mp4", "--distinct", "3", "--count", "2"], "--count and --distinct exclude each other"),
        (["a.mp4", "--distinct", "0"], "it goes from 1 to 100"),
        (["a.mp4", "--every", "1", "--count", "0"], "from 1 to"),
        (["a.mp4", "--every", "0"], "more than 0"),
        (["a.mp4", "--every", "-1"], "not a time"),
        (["a.mp4", "--count", "0"], "from 1 to"),
        (["a.mp4", "--from", "1"], "go with --every, --count or --distinct"),
        (["a.mp4", "--count", "2", "--from", "auto"], "--from auto"),
        (["a.mp4", "--at", "1,,2"], "a time is missing"),
        (["a.mp4", "--at", "soon"], "'soon' is not a time"),
        (["a.mp4", "--keyframe", "--tolerance", "1"], "exclude each other"),
        (["a.mp4", "--hdr", "keep"], "JPEG can't hold"),
        (["a.mp4", "--hdr", "keep", "-o", "a.jpg"], "JPEG can't hold"),
        (["a.mp4", "--json", "-o", "-"], "both write to standard output"),
        (["a.mp4", "--skip-existing", "-o", "-"], "needs a file"),
        (["a.mp4", "--at", "1,2", "-o", "-"], "holds one picture"),
        (["a.mp4", "b.mp4", "-o", "-"], "holds one picture"),
        (["a.mp4", "--at", "1,2", "-o", "t.jpg"], "one name for several pictures"),
        (["a.mp4", "--every", "1", "-o", "{stem}.jpg"], "one name for several pictures"),
        (["a.mp4", "-o", "t.gif"], "extension .gif"),
        (["a.mp4", "-o", "t"], "no extension"),
        (["a.mp4", "-o", ""], "--output is empty"),
        (["a.mp4", "--format", "gif"], "not a format"),
        (["a.mp4", "-q", "0"], "from 1 to 100"),
        (["a.mp4", "-q", "101"], "from 1 to 100"),
        (["a.mp4", "--threads", "0"], "from 1 to 64"),
        (["a.mp4", "--background", "red"], "six hexadecimal digits"),
        (["a.mp4", "--background", "#+12345"], "six hexadecimal digits"),
        (["a.mp4", "--max-bytes", "0"], "whole number"),
        (["a.mp4", "--max-bytes", "9999999999999G"], "whole number"),
        (["a.mp4", "--max-pixels", "k"], "whole number"),
        (["a.mp4", "--header", "secret"], "'Name: value'"),
        (["a.mp4", "--header", "A b: c"], "'Name: value'"),
        (["a.mp4", "--header", "A: b\r\nC: d"], "control characters"),
        (["a.mp4", "--timeout", "soon"], "not a time"),
        (["-", "-"], "only once"),
        (["a.mp4", "--fit", "squash"], "'contain', 'cover', 'stretch' or 'pad'"),
        (["a.mp4", "--colour"], "Unknown option '--colour'"),
    ])
    func mistakesAreUsageErrors(_ words: [String], _ sentence: String) throws {
        let error = try #require(usageError(words))
        #expect(error.contains(sentence))
    }

    @Test(arguments: [
        ("320x180", PictureSize.box(width: 320, height: 180)), ("320", .width(320)), ("x180", .height(180)),
        ("1X1", .box(width: 1, height: 1)),
    ])
    func sizesAreBoxes(_ text: String, _ size: PictureSize) throws {
        #expect(try PictureSize(text) == size)
    }

    @Test(arguments: ["", "x", "320x", "0", "x0", "-1", "1x2x3", "65501", "3.5", " 320", "٣", "99999999999999999999"])
    func otherSizesAreMistakes(_ text: String) {
        #expect(throws: SnapError.self) { try PictureSize(text) }
    }

    @Test(arguments: [["--help"], ["help"], ["a.mp4", "--help"], ["take", "--help"]])
    func theHelpOfTheWholeIsThatOfTakingPictures(_ words: [String]) {
        let help = #expect(throws: (any Error).self) {
            // Help that was asked for is a command of its own, which throws what it has to say.
            var command = try SnapCommand.parse(typed: words)
            try command.run()
        }
        #expect(help.map { SnapCommand.fullMessage(for: $0) }?.contains("snap video.mp4 --at 1.5") == true)
    }

    @Test(arguments: [
        ([], []), (["a.mp4"], ["a.mp4"]), (["take", "take"], ["take"]), (["--", "probe"], ["probe"]),
        (["a.mp4", "probe"], ["a.mp4", "probe"]),
    ])
    func withoutASubcommandPicturesAreMeant(_ words: [String], _ input: [String]) throws {
        #expect((try SnapCommand.parse(typed: words) as? TakeCommand)?.input == input)
    }

    @Test(arguments: [["--version"], ["a.mp4", "--version"], ["probe", "--version"]])
    func theVersionIsThatOfTheWhole(_ words: [String]) {
        let version = #expect(throws: (any Error).self) { try SnapCommand.parse(typed: words) }
        #expect(version.map { SnapCommand.fullMessage(for: $0) } == SnapCommand.version)
    }
}
