import CFFmpeg
import SnapBase
import Testing

@testable import SnapMedia

@Suite struct PictureConverterTests {
    private func grey(
        _ width: Int = 64, _ height: Int = 48, tags: ColourDescription.Tags = .init(),
        prepare: (UnsafeMutablePointer<AVFrame>) -> Void = { _ in }
    ) throws -> VideoFrame {
        try TestFrame.make(AV_PIX_FMT_YUV420P, width: width, height: height, tags: tags, prepare: prepare) { c, x, _ in
            c == 0 ? 40 + x : 128
        }
    }

    /// YCgCo-Re of H.273, by its number: FFmpeg names it from 7.1 on, and before takes it for no matrix.
    private static let lifted = AVColorSpace(rawValue: 16)

    @Test(.enabled(if: av_color_space_name(lifted) != nil)) func namesTheMatrixThatItCannotDo() throws {
        let frame = try grey(tags: .init(matrix: Self.lifted))
        #expect(throws: PictureError.unsupportedMatrix("ycgco-re")) { _ = try picture(frame) }
    }

    @Test func refusesHardwareAndUnknownFormats() throws {
        let hardware = try grey { $0.pointee.format = AV_PIX_FMT_VAAPI.rawValue }
        #expect(throws: PictureError.hardwareFormat("vaapi")) { _ = try picture(hardware) }
        let unknown = try grey { $0.pointee.format = 9999 }
        #expect(throws: PictureError.unsupportedFormat("number 9999")) { _ = try picture(unknown) }
        let bayer = try grey { $0.pointee.format = AV_PIX_FMT_BAYER_RGGB8.rawValue }
        #expect(throws: PictureError.unsupportedFormat("bayer_rggb8")) { _ = try picture(bayer) }
        let empty = try grey { $0.pointee.data.0 = nil }
        #expect(throws: PictureError.empty) { _ = try picture(empty) }
    }

    @Test func refusesPicturesThatEatTheMemory() throws {
        let frame = try grey()
        var options = PictureOptions()
        (options.size, options.upscales) = (.box(width: 100_000, height: 100_000), true)
        #expect(throws: PictureError.tooLarge(width: 100_000, height: 75000)) {
            _ = try picture(frame, options: options)
        }
    }

    /// Untagged frames, and what the documented rules make of them.
    @Test(arguments: [
        (1280, 720, AVCOL_PRI_UNSPECIFIED, "bt709"), (1920, 1080, AVCOL_PRI_UNSPECIFIED, "bt709"),
        (720, 576, AVCOL_PRI_UNSPECIFIED, "smpte170m"), (704, 640, AVCOL_PRI_UNSPECIFIED, "bt709"),
        (640, 360, AVCOL_PRI_UNSPECIFIED, "smpte170m"), (640, 360, AVCOL_PRI_BT709, "bt709"),
        (1920, 1080, AVCOL_PRI_BT470BG, "bt470bg"), (640, 360, AVCOL_PRI_BT2020, "bt2020nc"),
    ])
    func guessesTheMatrix(width: Int, height: Int, primaries: AVColorPrimaries, expected: String) throws {
        let format = try #require(PixelFormat(AV_PIX_FMT_YUV420P))
        let colour = ColourDescription(
            tags: .init(primaries: primaries), format: format, codec: AV_CODEC_ID_H264, width: width, height: height)
        #expect(colour.matrix == .init(name: expected, isTagged: false))
        #expect(colour.range == .init(name: "limited", isTagged: false))
    }

    @Test("What a frame leaves open, the container says; what it says itself goes before that")
    func containerTags() throws {
        var facts = StreamFacts()
        facts.colourTags = .init(
            matrix: AVCOL_SPC_BT2020_NCL, range: AVCOL_RANGE_MPEG, primaries: AVCOL_PRI_BT2020,
            transfer: AVCOL_TRC_SMPTE2084)
        let open = try picture(try grey(), facts: facts).report.colour
        #expect([open.matrix.name, open.primaries.name, open.transfer.name] == ["bt2020nc", "bt2020", "smpte2084"])
        #expect(open.matrix.isTagged && open.range.isTagged && open.primaries.isTagged && open.transfer.isTagged)
        let said = try picture(try grey(tags: .init(primaries: AVCOL_PRI_BT709)), facts: facts).report.colour
        #expect(said.primaries.name == "bt709" && said.matrix.name == "bt2020nc")
    }

    @Test("RGB of 3, 3 and 2 bits", arguments: [(0xE0, [255, 0, 0]), (0x1C, [0, 255, 0]), (0x03, [0, 0, 255])])
    func rgb8(byte: Int, colour: [Int]) throws {
        let frame = try TestFrame.make(AV_PIX_FMT_RGB8, width: 16, height: 8) { frame in
            for y in 0..<8 {
                frame.pointee.data.0?.advanced(by: y * Int(frame.pointee.linesize.0)).update(
                    repeating: UInt8(byte), count: 16)
            }
        } sample: { _, _, _ in
            0
        }
        #expect(try picture(frame).picture.pixel(5, 5) == colour)
    }

    @Test func takesMotionJPEGAsJFIFSaysIt() throws {
        let format = try #require(PixelFormat(AV_PIX_FMT_YUV422P))
        let colour = ColourDescription(
            tags: .init(), format: format, codec: AV_CODEC_ID_MJPEG, width: 1920, height: 1080)
        #expect(colour.matrix == .init(name: "bt470bg", isTagged: false))
        #expect(colour.range == .init(name: "full", isTagged: false))
    }

    @Test func reportsWhatTheStreamSaid() throws {
        let frame = try grey(
            tags: .init(
                matrix: AVCOL_SPC_BT709, range: AVCOL_RANGE_MPEG, primaries: AVCOL_PRI_BT709,
                transfer: AVCOL_TRC_IEC61966_2_1))
        let colour = try picture(frame).report.colour
        #expect(colour.matrix == .init(name: "bt709", isTagged: true))
        #expect(colour.range == .init(name: "limited", isTagged: true))
        #expect(colour.primaries == .init(name: "bt709", isTagged: true))
        #expect(colour.transfer == .init(name: "iec61966-2-1", isTagged: true))
    }

    @Test func standsUprightWithSquarePixelsUnlessToldNot() throws {
        let frame = try grey(48, 32) { $0.pointee.sample_aspect_ratio = AVRational(num: 4, den: 3) }
        var facts = StreamFacts()
        facts.displayMatrix = [0, 1 << 16, 0, -1 << 16, 0, 0, 0, 0, 1 << 30]
        var (picture, report) = try picture(frame, facts: facts)
        #expect((picture.width, picture.height) == (32, 64))
        #expect(report.orientation == .clockwise90 && report.isRotated && report.isSquared)
        // Left becomes top.
        #expect(picture.pixel(16, 0)[0] < picture.pixel(16, 63)[0])

        var options = PictureOptions()
        options.rotates = false
        options.keepsSampleAspectRatio = true
        (picture, report) = try SnapMediaTests.picture(frame, facts: facts, options: options)
        #expect((picture.width, picture.height) == (48, 32))
        #expect(report.orientation == .clockwise90 && !report.isRotated && !report.isSquared)
        #expect(report.sampleAspectRatio == AspectRatio(4, over: 3))
    }

    @Test func theContainersSampleShapeGoesBeforeTheFrames() throws {
        let frame = try grey(48, 32) { $0.pointee.sample_aspect_ratio = AVRational(num: 4, den: 3) }
        var facts = StreamFacts()
        facts.sampleAspectRatio = AspectRatio(2, over: 1)
        #expect(try picture(frame, facts: facts).picture.width == 96)
    }

    @Test func padsWithTheBackground() throws {
        let frame = try grey(64, 32)
        var options = PictureOptions()
        options.size = .box(width: 64, height: 64)
        options.fit = .pad
        options.background = RGBColour(red: 1, green: 2, blue: 3)
        let (picture, report) = try picture(frame, options: options)
        #expect((picture.width, picture.height, report.height) == (64, 64, 64))
        #expect(picture.pixel(5, 15) == [1, 2, 3] && picture.pixel(63, 48) == [1, 2, 3])
        #expect(picture.pixel(5, 16) != [1, 2, 3] && picture.pixel(5, 47) != [1, 2, 3])
    }

    @Test(arguments: [
        AV_PIX_FMT_YUVA420P, AV_PIX_FMT_YUVA444P, AV_PIX_FMT_GBRAP, AV_PIX_FMT_YUVA444P12LE, AV_PIX_FMT_RGBA,
    ])
    func keepsAlphaOrLaysThePictureOnTheBackground(code: AVPixelFormat) throws {
        let format = try #require(PixelFormat(code))
        let unit = 1 << (format.depth - 8)
        let peak = (1 << format.depth) - 1
        let frame = try TestFrame.make(code, width: 16, height: 16, tags: .init(range: AVCOL_RANGE_JPEG)) {
            component, x, _ in
            component == 3 ? (x < 8 ? 128 * unit : peak) : component == 0 || format.model == .rgb ? peak : 128 * unit
        }
        var options = PictureOptions()
        options.background = .black
        let opaque = try picture(frame, options: options).picture
        #expect(opaque.channels == .rgb)
        #expect(opaque.pixel(2, 8) == [128, 128, 128] && opaque.pixel(13, 8) == [255, 255, 255])
        options.wantsAlpha = true
        let clear = try picture(frame, options: options).picture
        #expect(clear.pixel(2, 8) == [255, 255, 255, 128] && clear.pixel(13, 8) == [255, 255, 255, 255])
    }

    @Test func oneConverterServesFramesOfAllKinds() throws {
        var converter = PictureConverter()
        for _ in 0..<2 {
            for (code, side) in [(AV_PIX_FMT_YUV420P, 64), (AV_PIX_FMT_YUV420P10LE, 32), (AV_PIX_FMT_GBRP, 48)] {
                let frame = try TestFrame.make(code, width: side, height: side) { _, _, _ in 128 }
                #expect(try converter.picture(from: frame).picture == picture(frame).picture)
            }
        }
    }
}
