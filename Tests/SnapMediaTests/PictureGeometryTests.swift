import SnapBase
import Testing

@testable import SnapMedia

@Suite struct PictureGeometryTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var coded = (1920, 1080)
        var ratio = (1, 1)
        var orientation = Orientation.upright
        var size = PictureSize.original
        var fit = PictureFit.contain
        var upscales = false
        /// x, y, width, height of the source.
        var source = (0, 0, 1920, 1080)
        var scaled = (1920, 1080)
        var picture = (1920, 1080)

        var testDescription: String { "\(coded) \(ratio) \(orientation) \(size) \(fit) \(upscales) → \(picture)" }
    }

    static let cases: [Case] = [
        Case(),
        Case(size: .box(width: 320, height: 180), scaled: (320, 180), picture: (320, 180)),
        Case(size: .width(320), scaled: (320, 180), picture: (320, 180)),
        Case(size: .height(360), scaled: (640, 360), picture: (640, 360)),
        Case(size: .box(width: 320, height: 320), scaled: (320, 180), picture: (320, 180)),
        Case(size: .box(width: 4000, height: 4000)),
        Case(size: .box(width: 3840, height: 3840), upscales: true, scaled: (3840, 2160), picture: (3840, 2160)),
        // Turned first, then fitted: the box is the upright picture's.
        Case(orientation: .clockwise90, size: .box(width: 320, height: 320), scaled: (320, 180), picture: (180, 320)),
        Case(orientation: .clockwise270, size: .width(540), scaled: (960, 540), picture: (540, 960)),
        // Square pixels: PAL 16:9, then on its side.
        Case(coded: (720, 576), ratio: (64, 45), source: (0, 0, 720, 576), scaled: (1024, 576), picture: (1024, 576)),
        Case(
            coded: (720, 576), ratio: (64, 45), orientation: .clockwise90, source: (0, 0, 720, 576),
            scaled: (1024, 576), picture: (576, 1024)),
        Case(coded: (720, 480), ratio: (8, 9), source: (0, 0, 720, 480), scaled: (640, 480), picture: (640, 480)),
        // Cover: cut equally on both sides, in the frame's own pixels.
        Case(
            size: .box(width: 200, height: 200), fit: .cover, source: (420, 0, 1080, 1080), scaled: (200, 200),
            picture: (200, 200)),
        Case(
            coded: (720, 576), ratio: (64, 45), size: .box(width: 100, height: 100), fit: .cover,
            source: (157, 0, 405, 576), scaled: (100, 100), picture: (100, 100)),
        Case(
            orientation: .clockwise90, size: .box(width: 200, height: 200), fit: .cover, source: (420, 0, 1080, 1080),
            scaled: (200, 200), picture: (200, 200)),
        Case(
            coded: (100, 50), size: .box(width: 400, height: 400), fit: .cover, source: (25, 0, 50, 50),
            scaled: (50, 50), picture: (50, 50)),
        Case(
            coded: (100, 50), size: .box(width: 400, height: 400), fit: .cover, upscales: true, source: (25, 0, 50, 50),
            scaled: (400, 400), picture: (400, 400)),
        Case(size: .box(width: 100, height: 300), fit: .stretch, scaled: (100, 300), picture: (100, 300)),
        Case(size: .box(width: 4000, height: 300), fit: .stretch, scaled: (1920, 300), picture: (1920, 300)),
        Case(size: .box(width: 400, height: 400), fit: .pad, scaled: (400, 225), picture: (400, 400)),
        Case(
            coded: (10, 10), size: .box(width: 40, height: 20), fit: .pad, source: (0, 0, 10, 10), scaled: (10, 10),
            picture: (40, 20)),
        // Nothing becomes 0.
        Case(coded: (4000, 2), size: .width(10), source: (0, 0, 4000, 2), scaled: (10, 1), picture: (10, 1)),
        Case(coded: (1, 1), size: .box(width: 0, height: -5), source: (0, 0, 1, 1), scaled: (1, 1), picture: (1, 1)),
        Case(coded: (1, 1), ratio: (1, 90), source: (0, 0, 1, 1), scaled: (1, 1), picture: (1, 1)),
    ]

    @Test(arguments: cases) func followsTheOrderCropSquareTurnFit(_ test: Case) throws {
        let geometry = PictureGeometry(
            codedWidth: test.coded.0, codedHeight: test.coded.1,
            sampleAspectRatio: try #require(AspectRatio(test.ratio.0, over: test.ratio.1)),
            orientation: test.orientation,
            request: .init(size: test.size, fit: test.fit, upscales: test.upscales))
        let source = geometry.source
        #expect((source.x, source.y, source.width, source.height) == test.source)
        #expect((geometry.scaledWidth, geometry.scaledHeight) == test.scaled)
        #expect((geometry.width, geometry.height) == test.picture)
    }

    @Test func padsAroundTheCentre() {
        let geometry = PictureGeometry(
            codedWidth: 1920, codedHeight: 1080, request: .init(size: .box(width: 400, height: 400), fit: .pad))
        #expect(geometry.content == PixelRectangle(x: 0, y: 87, width: 400, height: 225))
    }

    @Test func cropsBeforeTheRest() {
        let crop = PixelRectangle(x: 8, y: 4, width: 704, height: 572)
        let geometry = PictureGeometry(codedWidth: 720, codedHeight: 576, crop: crop, request: .init(size: .width(352)))
        #expect(geometry.source == crop)
        #expect(geometry.height == 286)
    }

    @Test(arguments: [
        (PixelRectangle(x: 9000, y: 0, width: 10, height: 10), PixelRectangle(width: 64, height: 48)),
        (PixelRectangle(x: -8, y: 40, width: 16, height: .max), PixelRectangle(x: 0, y: 40, width: 8, height: 8)),
        (PixelRectangle(x: 4, y: 4, width: 0, height: 5), PixelRectangle(width: 64, height: 48)),
    ])
    func keepsCroppingWithinTheFrame(crop: PixelRectangle, source: PixelRectangle) {
        #expect(PictureGeometry(codedWidth: 64, codedHeight: 48, crop: crop).source == source)
    }

    @Test func neverFailsWhateverIsAsked() {
        let sides = [1, 2, 3, 17, 1000, 65535, 1 << 31]
        for width in sides {
            for height in sides {
                for fit in PictureFit.allCases {
                    for size in [PictureSize.width(.max), .height(1), .box(width: 1, height: .max)] {
                        let geometry = PictureGeometry(
                            codedWidth: width, codedHeight: height, request: .init(size: size, fit: fit))
                        #expect(min(geometry.width, geometry.height, geometry.scaledWidth, geometry.scaledHeight) > 0)
                        #expect(geometry.source.clipped(toWidth: width, height: height) == geometry.source)
                    }
                }
            }
        }
    }

    @Test(arguments: [(0, 1), (1, 0), (-4, 3), (101, 1), (1, 101)])
    func ignoresAbsurdSampleShapes(numerator: Int, denominator: Int) {
        #expect(AspectRatio(numerator, over: denominator) == nil)
    }
}
