import CFFmpeg
import SnapBase
import Testing

@testable import SnapMedia

@Suite struct OrientationTests {
    /// Two rows of three pixels with the letters a b c / d e f, and how they read afterwards.
    static let readings: [(Orientation, [String])] = [
        (.upright, ["abc", "def"]),
        (.clockwise90, ["da", "eb", "fc"]),
        (.rotated180, ["fed", "cba"]),
        (.clockwise270, ["cf", "be", "ad"]),
        (.mirrored, ["cba", "fed"]),
        (.flipped, ["def", "abc"]),
        (.transposed, ["ad", "be", "cf"]),
        (.transversed, ["fc", "eb", "da"]),
    ]

    @Test(arguments: readings) func turnsAndMirrors(orientation: Orientation, rows: [String]) throws {
        for channels in [Picture.Channels.rgb, .rgba] {
            let pixels = "abcdef".utf8.flatMap { Array(repeating: $0, count: channels.rawValue) }
            let picture = try #require(Picture(width: 3, height: 2, channels: channels, bytes: pixels))
            let turned = orientation.apply(to: picture)
            let read = (0..<turned.height).map { y in
                String(decoding: (0..<turned.width).compactMap { turned[$0, y].first }, as: UTF8.self)
            }
            #expect(read == rows)
        }
    }

    @Test(arguments: Orientation.allCases) func movesEveryPixelOfALargePictureToItsPlace(orientation: Orientation)
        throws
    {
        let (width, height) = (101, 67)
        let bytes = (0..<width * height * 3).map { UInt8(truncatingIfNeeded: $0 &* 40503 >> 7) }
        let picture = try #require(Picture(width: width, height: height, channels: .rgb, bytes: bytes))
        let turned = orientation.apply(to: picture)
        for y in 0..<height {
            for x in 0..<width {
                let place = orientation.destination(x: x, y: y, width: width, height: height)
                #expect(Array(turned[place.x, place.y]) == Array(picture[x, y]))
            }
        }
    }

    /// The linear part (a, b, c, d) of what phones and editors write, in whole units.
    static let matrices: [(linear: [Int32], expected: Orientation)] = [
        ([1, 0, 0, 1], .upright),
        ([0, 1, -1, 0], .clockwise90),
        ([-1, 0, 0, -1], .rotated180),
        ([0, -1, 1, 0], .clockwise270),
        ([-1, 0, 0, 1], .mirrored),
        ([1, 0, 0, -1], .flipped),
        ([0, 1, 1, 0], .transposed),
        ([0, -1, -1, 0], .transversed),
    ]

    @Test(arguments: matrices) func readsDisplayMatrices(linear: [Int32], expected: Orientation) throws {
        let fixed = linear.map { $0 << 16 }
        let matrix = [fixed[0], fixed[1], 0, fixed[2], fixed[3], 0, 1080 << 16, 0, 1 << 30]
        let found = try #require(Orientation.nearest(toDisplayMatrix: matrix))
        #expect(found == (expected, false))
    }

    /// `av_display_rotation_set` takes clockwise degrees, whatever its older documentation says.
    @Test(arguments: [(0.0, Orientation.upright), (90, .clockwise90), (180, .rotated180), (-90, .clockwise270)])
    func agreesWithFFmpegOnAngles(angle: Double, expected: Orientation) throws {
        var matrix = [Int32](repeating: 0, count: 9)
        matrix.withUnsafeMutableBufferPointer { av_display_rotation_set($0.baseAddress, angle) }
        #expect(try #require(Orientation.nearest(toDisplayMatrix: matrix)) == (expected, false))
    }

    @Test(arguments: [(87.0, Orientation.clockwise90), (30, .upright), (-100, .clockwise270)])
    func takesTheNearestQuarterTurn(angle: Double, expected: Orientation) throws {
        var matrix = [Int32](repeating: 0, count: 9)
        matrix.withUnsafeMutableBufferPointer { av_display_rotation_set($0.baseAddress, angle) }
        #expect(try #require(Orientation.nearest(toDisplayMatrix: matrix)) == (expected, true))
    }

    @Test func takesACollapsedMatrixAsUpright() throws {
        #expect(try #require(Orientation.nearest(toDisplayMatrix: [Int32](repeating: 0, count: 9))) == (.upright, true))
        #expect(Orientation.nearest(toDisplayMatrix: [1, 2, 3]) == nil)
    }
}
