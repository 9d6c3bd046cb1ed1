import SnapBase
import TestSupport
import Testing

@testable import SnapMedia

/// Read back by a reader of our own, made from the standards.
@Suite struct EXIFTests {
    private let small = Picture(width: 2, height: 1, channels: .rgb, bytes: [1, 2, 3, 4, 5, 6])

    private func written(_ metadata: PictureMetadata?) throws -> EXIFReading? {
        let picture = try #require(small)
        let jpeg = EXIFReading(jpeg: try JPEGEncoder().encode(picture, metadata: metadata))
        let png = EXIFReading(png: try PNGEncoder().encode(picture, metadata: metadata))
        #expect(jpeg == png)
        return jpeg
    }

    @Test func aDateIsWrittenInUTCWithItsMilliseconds() throws {
        let date = try #require(WallClock("2026-11-20T19:00:00.2509+01:00"))
        let reading = try #require(try written(PictureMetadata(date: date)))
        #expect(
            reading.camera == [
                0x9000: .bytes(Array("0232".utf8)), 0x9003: .text("2026:11:20 18:00:00"), 0x9011: .text("+00:00"),
                0x9291: .text("250"),
            ])
        #expect(reading.places.isEmpty)
    }

    @Test func aDateWithoutAZoneClaimsNone() throws {
        let date = try #require(WallClock("2026-11-20T19:00:00"))
        let reading = try #require(try written(PictureMetadata(date: date)))
        #expect(reading.camera[0x9003] == .text("2026:11:20 19:00:00") && reading.camera[0x9011] == nil)
    }

    @Test func aPlaceIsWrittenInDegreesMinutesAndSeconds() throws {
        let place = GeographicLocation(latitude: -33.8568, longitude: 151.2153, altitude: -4.5)
        let reading = try #require(try written(PictureMetadata(location: place)))
        // 33.8568° is 33° 51' 24.48", and 151.2153° is 151° 12' 55.08".
        #expect(
            reading.places == [
                0: .bytes([2, 3, 0, 0]), 1: .text("S"), 2: .fractions([[33, 1], [51, 1], [244_800, 10_000]]),
                3: .text("E"), 4: .fractions([[151, 1], [12, 1], [550_800, 10_000]]), 5: .bytes([1]),
                6: .fractions([[4500, 1000]]),
            ])
        #expect(reading.camera.isEmpty)
    }

    @Test func roundingNeverGivesSixtySeconds() throws {
        let place = GeographicLocation(latitude: 89.999_999_999_99, longitude: -179.999_999_999_99)
        let reading = try #require(try written(PictureMetadata(location: place)))
        #expect(reading.places[2] == .fractions([[90, 1], [0, 1], [0, 10_000]]))
        #expect(reading.places[4] == .fractions([[180, 1], [0, 1], [0, 10_000]]) && reading.places[3] == .text("W"))
        #expect(reading.places[5] == nil)
    }

    @Test func dateAndPlaceStandSideBySide() throws {
        let both = PictureMetadata(
            date: WallClock("1999-12-31T23:59:59Z"), location: GeographicLocation(latitude: 0, longitude: 0))
        let reading = try #require(try written(both))
        #expect(reading.camera.count == 4 && reading.places.count == 5)
    }

    @Test func nothingKnownIsNothingWritten() throws {
        #expect(try written(PictureMetadata()) == nil)
        #expect(try written(nil) == nil)
        for year in [Int64.max, .min] {  // years of more than four digits
            #expect(try written(PictureMetadata(date: WallClock(sinceEpoch: MediaTime(seconds: year / 4)))) == nil)
        }
    }

    @Test func filesWithoutMetadataHaveThePixelsAndWhatTheyMean() throws {
        let picture = try #require(small)
        let segments = EXIFReading.segments(ofJPEG: try JPEGEncoder().encode(picture))
        // JFIF; tables of quantization, start of frame, tables of Huffman codes: no APP1, no APP2 with a profile, no comment.
        #expect(Set(segments.map(\.marker)) == [0xE0, 0xDB, 0xC0, 0xC4])
        let chunks = EXIFReading.chunks(ofPNG: try PNGEncoder().encode(picture)).map(\.type)
        #expect(Set(chunks).isSubset(of: ["IHDR", "pHYs", "sRGB", "gAMA", "cHRM", "IDAT", "IEND"]))
        #expect(chunks.contains("sRGB"))
    }

    @Test func thePixelsAreTheSameWithMetadata() throws {
        let picture = try #require(small)
        let metadata = PictureMetadata(date: WallClock("1999-12-31T23:59:59Z"))
        let (plain, dated) = (try JPEGEncoder().encode(picture), try JPEGEncoder().encode(picture, metadata: metadata))
        #expect(Array(dated.prefix(20)) == Array(plain.prefix(20)))
        #expect(Array(dated.suffix(plain.count - 20)) == Array(plain.dropFirst(20)))
    }
}
