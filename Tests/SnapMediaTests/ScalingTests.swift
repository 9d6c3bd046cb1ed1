import CFFmpeg
import SnapBase
import Testing

@testable import SnapMedia

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct ScalingTests {
    static let fullGrey = ColourDescription.Tags(matrix: AVCOL_SPC_BT709, range: AVCOL_RANGE_JPEG)

    /// Where the step from black to white lies, in pixels: the black ones along a row, parts counted.
    private func edge(_ picture: Picture, row: Int, channel: Int = 0) -> Double {
        (0..<picture.width).reduce(0.0) { $0 + 1 - Double(picture.pixel($1, row)[channel]) / 255 }
    }

    @Test(arguments: [320, 640, 959, 213, 100, 33, 7])
    func keepsAnEdgeInItsPlace(width: Int) throws {
        var options = PictureOptions()
        options.size = .width(width)
        for position in [480, 481, 700] {
            let frame = try TestFrame.make(AV_PIX_FMT_YUV420P, width: 960, height: 80, tags: Self.fullGrey) {
                c, x, _ in
                c == 0 ? (x < position ? 0 : 255) : 128
            }
            let (picture, _) = try picture(frame, options: options)
            // Overshoot is clipped, on both sides of the edge alike.
            let expected = Double(position) * Double(width) / 960
            #expect(abs(edge(picture, row: picture.height / 2) - expected) < 0.06)
        }
    }

    @Test("One pixel is the mean of all", arguments: Array(1...80) + [513, 576, 640, 720, 767, 768, 1280, 1921])
    func oneSample(length: Int) throws {
        for isWide in [true, false] {
            let frame = try TestFrame.make(
                AV_PIX_FMT_YUV420P, width: isWide ? length : 8, height: isWide ? 8 : length, tags: Self.fullGrey
            ) { component, x, y in
                component == 0 ? 40 + (isWide ? x : y) * 160 / length : 128
            }
            var options = PictureOptions()
            (options.size, options.fit) = (isWide ? .box(width: 1, height: 8) : .box(width: 8, height: 1), .stretch)
            let (picture, _) = try picture(frame, options: options)
            let mean = (0..<length).reduce(0.0) { $0 + 40 + Double($1 * 160 / length) } / Double(length)
            #expect(abs(Double(picture.pixel(picture.width / 2, picture.height / 2)[0]) - mean) <= 3, "\(isWide)")
        }
    }

    /// Chroma beside the left luma sample, or in the middle of two, has to end up where luma does.
    @Test(arguments: [AVCHROMA_LOC_LEFT, AVCHROMA_LOC_CENTER, AVCHROMA_LOC_TOPLEFT, AVCHROMA_LOC_BOTTOM])
    func keepsColourWhereTheStreamSaysItIs(location: AVChromaLocation) throws {
        let isLeft = location == AVCHROMA_LOC_LEFT || location == AVCHROMA_LOC_TOPLEFT
        let top = location == AVCHROMA_LOC_TOPLEFT ? 0.0 : location == AVCHROMA_LOC_BOTTOM ? 1.0 : 0.5
        let frame = try TestFrame.make(
            AV_PIX_FMT_YUV420P, width: 128, height: 128, tags: Self.fullGrey
        ) {
            $0.pointee.chroma_location = location
        } sample: { component, x, y in
            // A ramp in both directions, sampled where the location says: Cr = 64 + x / 2 + y / 2.
            let place = (2 * Double(x) + (isLeft ? 0 : 0.5), 2 * Double(y) + top)
            return component == 2 ? Int((64 + place.0 / 2 + place.1 / 2).rounded()) : 128
        }
        let (picture, _) = try picture(frame)
        for (x, y) in [(20, 20), (21, 64), (64, 21), (101, 100)] {
            let chroma = 64 + Double(x) / 2 + Double(y) / 2 - 128
            let expected = min(max(128 + 1.5748 * chroma, 0), 255)
            #expect(abs(Double(picture.pixel(x, y)[0]) - expected) <= 1.8)
        }
    }

    /// Circles ever closer together: what is finer than the result can show must become grey, not new circles.
    @Test(arguments: [4, 6, 12, 40]) func reducesAZonePlateWithoutAliases(factor: Int) throws {
        let side = 960
        let frame = try TestFrame.make(
            AV_PIX_FMT_GRAY8, width: side, height: side, tags: .init(range: AVCOL_RANGE_JPEG)
        ) {
            _, x, _ in
            // The frequency at x is x / (2 side) cycles a pixel: half a cycle at the end.
            Int((127.5 + 127.5 * cos(Double(x * x) * 3.14159265358979 / Double(2 * side))).rounded())
        }
        var options = PictureOptions()
        options.size = .width(side / factor)
        let (picture, _) = try picture(frame, options: options)
        let row = (0..<picture.width).map { Double(picture.pixel($0, picture.height / 2)[0]) - 127.5 }
        // The result's limit is half a cycle a pixel: at 1/factor of the width. From twice that on: nothing but grey.
        let beyond = row[(2 * picture.width / factor + 1)...].dropLast(1)
        let energy = (beyond.map { $0 * $0 }.reduce(0, +) / Double(beyond.count)).squareRoot()
        #expect(energy < 2)
    }

    @Test(arguments: [
        AV_PIX_FMT_YUV420P, AV_PIX_FMT_NV12, AV_PIX_FMT_YUV422P10LE, AV_PIX_FMT_YUV410P, AV_PIX_FMT_YUYV422,
        AV_PIX_FMT_YUVA420P, AV_PIX_FMT_RGB24, AV_PIX_FMT_PAL8, AV_PIX_FMT_MONOBLACK, AV_PIX_FMT_GRAY8,
        AV_PIX_FMT_GBRPF32LE, AV_PIX_FMT_GRAYF32LE,
    ])
    func everySizeDownToOnePixelWorks(code: AVPixelFormat) throws {
        for (width, height) in [(1, 1), (1, 9), (2, 1), (3, 3), (5, 2), (17, 31)] {
            let frame = try TestFrame.make(code, width: width, height: height) { _, _, _ in 1 }
            for size in [PictureSize.original, .width(1), .box(width: 1, height: 1), .box(width: 64, height: 48)] {
                for (fit, upscales) in [(PictureFit.contain, true), (.cover, false), (.pad, true), (.stretch, true)] {
                    var options = PictureOptions()
                    (options.size, options.fit, options.upscales) = (size, fit, upscales)
                    let (picture, report) = try picture(frame, options: options)
                    #expect((picture.width, picture.height) == (report.width, report.height))
                }
            }
        }
    }

    @Test(arguments: [(20000, 2), (2, 20000), (20000, 16), (500, 3000)])
    func hugeReductionsKeepTheMean(width: Int, height: Int) throws {
        let frame = try TestFrame.make(AV_PIX_FMT_YUV420P, width: width, height: height, tags: Self.fullGrey) {
            c, x, y in
            c == 0 ? (x + y) % 2 * 200 : 128
        }
        var options = PictureOptions()
        options.size = .box(width: 1, height: 1)
        #expect(try picture(frame, options: options).picture.deviation(from: [100, 100, 100]) <= 1)
    }

    @Test func enlargesOnlyWhenAsked() throws {
        let frame = try TestFrame.make(AV_PIX_FMT_YUV420P, width: 2, height: 2) { c, _, _ in c == 0 ? 180 : 128 }
        var options = PictureOptions()
        options.size = .width(20000)
        #expect(try picture(frame, options: options).picture.width == 2)
        options.upscales = true
        options.size = .box(width: 20000, height: 4)
        options.fit = .stretch
        #expect(try picture(frame, options: options).picture.width == 20000)
    }

    /// A crop that starts at an odd place cuts through a chroma sample.
    @Test(arguments: [AV_PIX_FMT_YUV420P, AV_PIX_FMT_NV12, AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUYV422, AV_PIX_FMT_GBRP])
    func cropsToThePixel(code: AVPixelFormat) throws {
        let format = try #require(PixelFormat(code))
        let frame = try TestFrame.make(code, width: 64, height: 48, tags: .init(range: AVCOL_RANGE_JPEG)) {
            component, x, y in
            component == 0 || format.model == .rgb ? 2 * x + y : 128
        }
        var facts = StreamFacts()
        facts.cleanAperture = PixelRectangle(x: 7, y: 5, width: 31, height: 21)
        let (picture, _) = try picture(frame, facts: facts)
        #expect((picture.width, picture.height) == (31, 21))
        for (x, y) in [(0, 0), (30, 20), (13, 7)] {
            #expect(picture.pixel(x, y) == Array(repeating: 2 * (x + 7) + y + 5, count: 3))
        }
    }

    @Test func readsRowsThatLieBottomUp() throws {
        let frame = try TestFrame.make(
            AV_PIX_FMT_GRAY8, width: 4, height: 4, tags: .init(range: AVCOL_RANGE_JPEG)
        ) { frame in
            frame.pointee.data.0? += 3 * Int(frame.pointee.linesize.0)
            frame.pointee.linesize.0 *= -1
        } sample: { _, _, y in
            y * 10
        }
        let (picture, _) = try picture(frame)
        #expect((0..<4).map { picture.pixel(0, $0)[0] } == [30, 20, 10, 0])
    }
}
