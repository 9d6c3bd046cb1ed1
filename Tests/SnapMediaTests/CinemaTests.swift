import CFFmpeg
import SnapBase
import Testing

@testable import SnapMedia

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Numbers made of X, Y and Z.
@Suite struct CinemaTests {
    /// X'Y'Z' of 12 bits (SMPTE ST 428-1) for light of DCI P3 with the cinema's white, of which 1 is 48 cd/m²; the matrix as
    /// SMPTE RP 431-2 gives it.
    private func samples(_ light: [Double]) -> [Int] {
        let rows = [
            [0.4451698156, 0.2771344092, 0.1722826698], [0.2094916779, 0.7215952542, 0.0689130679],
            [0, 0.0470605601, 0.9073553944],
        ]
        return rows.map { row in
            let value = zip(row, light).map(*).reduce(0, +)
            return Int((4095 * pow(48 * value / 52.37, 1 / 2.6)).rounded())
        }
    }

    /// DCI P3 to BT.709, white becoming white by Bradford's adaptation: `between("smpte431", "bt709")` of reference.py.
    private func expected(_ light: [Double]) -> [Double] {
        let rows = [[1.15752, -0.15496, -0.00255], [-0.04150, 1.04557, -0.00407], [-0.01805, -0.07858, 1.09663]]
        return rows.map { row in
            let value = min(max(zip(row, light).map(*).reduce(0, +), 0), 1)
            return 255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055)
        }
    }

    private static let lights: [[Double]] = [
        [1, 1, 1], [0.5, 0.5, 0.5], [0.02, 0.02, 0.02], [0.4, 0.3, 0.2], [0.2, 0.35, 0.3], [0.3, 0.3, 0.5], [0, 0, 0],
    ]

    @Test func samplesOfADigitalCinemaAreShownWithTheirWhiteAsWhite() throws {
        let samples = Self.lights.map(samples)
        let frame = try TestFrame.make(AV_PIX_FMT_XYZ12LE, width: 4 * samples.count, height: 2) { component, x, _ in
            samples[x / 4][component]
        }
        let (picture, report) = try picture(frame)
        for (index, light) in Self.lights.enumerated() {
            let colour = picture.pixel(4 * index + 1, 0).map(Double.init)
            #expect(ColourDifference.ciede2000(expected(light), colour) < 1, "\(light) became \(colour)")
        }
        #expect(report.colour.primaries == .init(name: "smpte428", isTagged: true))
        #expect(report.colour.transfer == .init(name: "smpte428", isTagged: false))
        #expect(report.colour.range.name == "full" && report.highDynamicRange == nil)
    }

    /// H.273, equations 56 to 58 (SMPTE ST 2085): Y' = E'Y, D'z = (0.986566 E'Z - E'Y) / 2, D'x = (E'X - 0.991902 E'Y) / 2.
    @Test func differencesOfXAndZGiveTheSamePictures() throws {
        let codes = Self.lights.map { light in
            let xyz = samples(light).map { Double($0) / 4095 }
            let values = [xyz[1], (0.986566 * xyz[2] - xyz[1]) / 2, (xyz[0] - 0.991902 * xyz[1]) / 2]
            return [values[0] * 4095, values[1] * 4095 + 2048, values[2] * 4095 + 2048].map { Int($0.rounded()) }
        }
        let frame = try TestFrame.make(
            AV_PIX_FMT_YUV444P12LE, width: 4 * codes.count, height: 2,
            tags: .init(
                matrix: AVCOL_SPC_SMPTE2085, range: AVCOL_RANGE_JPEG, primaries: AVCOL_PRI_SMPTE428,
                transfer: AVCOL_TRC_SMPTE428)
        ) { component, x, _ in codes[x / 4][component] }
        let (picture, _) = try picture(frame)
        for (index, light) in Self.lights.enumerated() {
            let colour = picture.pixel(4 * index + 1, 0).map(Double.init)
            #expect(ColourDifference.ciede2000(expected(light), colour) < 1, "\(light) became \(colour)")
        }
    }

    /// By PQ and D65: absolute light of BT.2020, as SMPTE ST 2085 is meant for.
    @Test func ofHDRTheyAreKeptAsBT2020() throws {
        // Grey of 100 cd/m²: a signal of 0.5081 for Y; X and Z by D65 (0.9505 and 1.0891 of it): 0.5030 and 0.5167.
        let frame = try TestFrame.make(
            AV_PIX_FMT_GBRP12LE, width: 8, height: 2,
            tags: .init(
                matrix: AVCOL_SPC_RGB, range: AVCOL_RANGE_JPEG, primaries: AVCOL_PRI_SMPTE428,
                transfer: AVCOL_TRC_SMPTE2084)
        ) { component, _, _ in Int((4095 * [0.5030, 0.5081, 0.5167][component]).rounded()) }
        var options = PictureOptions()
        options.highDynamicRange = .kept
        let (picture, _) = try picture(frame, options: options)
        #expect(picture.colour == PictureColour(primaries: 9, transfer: 16))
        let bytes = picture.pixel(3, 1)
        for component in 0..<3 {
            let signal = Double(bytes[2 * component] << 8 | bytes[2 * component + 1]) / 65535
            #expect(abs(signal - 0.5081) < 0.001, "\(signal)")
        }
    }
}
