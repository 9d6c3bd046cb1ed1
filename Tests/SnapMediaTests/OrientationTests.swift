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

    static let one: Int32 = 1 << 16

    /// What phones and editors write.
    @Test(arguments: [
        ([one, 0, 0, 0, one, 0, 0, 0, 1 << 30], Orientation.upright),
        ([0, one, 0, -one, 0, 0, 1080 << 16, 0, 1 << 30], .clockwise90),
        ([-one, 0, 0, 0, -one, 0, 0, 0, 1 << 30], .rotated180),
        ([0, -one, 0, one, 0, 0, 0, 1920 << 16, 1 << 30], .clockwise270),
        ([-one, 0, 0, 0, one, 0, 0, 0, 1 << 30], .mirrored),
        ([one, 0, 0, 0, -one, 0, 0, 0, 1 << 30], .flipped),
        ([0, one, 0, one, 0, 0, 0, 0, 1 << 30], .transposed),
        ([0, -one, 0, -one, 0, 0, 0, 0, 1 << 30], .transversed),
    ])
    func readsDisplayMatrices(matrix: [Int32], expected: Orientation) throws {
        let found = try #require(Orientation.nearest(toDisplayMatrix: matrix))
        #expect(found == (expected, false))
    }

    /// FFmpeg's angles count anticlockwise.
    @Test(arguments: [(0.0, Orientation.upright), (-90, .clockwise90), (180, .rotated180), (90, .clockwise270)])
    func agreesWithFFmpegOnAngles(angle: Double, expected: Orientation) throws {
        var matrix = [Int32](repeating: 0, count: 9)
        matrix.withUnsafeMutableBufferPointer { av_display_rotation_set($0.baseAddress, angle) }
        #expect(try #require(Orientation.nearest(toDisplayMatrix: matrix)) == (expected, false))
    }

    @Test(arguments: [(-87.0, Orientation.clockwise90), (30, .upright), (100, .clockwise270)])
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
