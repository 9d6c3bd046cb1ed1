import CFFmpeg
import SnapBase
import Testing

@testable import SnapMedia

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Flat patches against the standards' own formulas, in double precision.
@Suite struct ColourAccuracyTests {
    /// Kr and Kb as the standards give them (ITU-T H.273, table 4).
    static let weights: [(AVColorSpace, Double, Double)] = [
        (AVCOL_SPC_BT709, 0.2126, 0.0722),
        (AVCOL_SPC_FCC, 0.30, 0.11),
        (AVCOL_SPC_BT470BG, 0.299, 0.114),
        (AVCOL_SPC_SMPTE170M, 0.299, 0.114),
        (AVCOL_SPC_SMPTE240M, 0.212, 0.087),
        (AVCOL_SPC_BT2020_NCL, 0.2627, 0.0593),
    ]
    static let formats: [AVPixelFormat] = [
        AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUV411P, AV_PIX_FMT_YUV440P,
        AV_PIX_FMT_YUV410P, AV_PIX_FMT_NV12, AV_PIX_FMT_NV21, AV_PIX_FMT_NV16, AV_PIX_FMT_YUYV422, AV_PIX_FMT_UYVY422,
        AV_PIX_FMT_YUV420P10LE, AV_PIX_FMT_YUV422P10LE, AV_PIX_FMT_YUV444P10LE, AV_PIX_FMT_P010LE,
        AV_PIX_FMT_YUV420P12LE, AV_PIX_FMT_YUV422P12LE, AV_PIX_FMT_YUV444P12LE,
        AV_PIX_FMT_YUV420P16LE, AV_PIX_FMT_YUV422P16LE, AV_PIX_FMT_YUV444P16LE, AV_PIX_FMT_P016LE,
        AV_PIX_FMT_YUV420P9LE, AV_PIX_FMT_YUV444P14LE, AV_PIX_FMT_YUV420P10BE, AV_PIX_FMT_YUV422P16BE,
    ]
    static let colours: [[Double]] = [
        [0, 0, 0], [1, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.75, 0.75, 0], [0.2, 0.5, 0.8], [0.5, 0.5, 0.5],
        [0.02, 0.01, 0.03],
    ]

    /// Component values of a colour: H.273, 8.3, equations for limited (`VideoFullRangeFlag` 0) and full range.
    static func encode(_ rgb: [Double], _ kr: Double, _ kb: Double, isFull: Bool, depth: Int) -> [Int] {
        let y = kr * rgb[0] + (1 - kr - kb) * rgb[1] + kb * rgb[2]
        let (cb, cr) = ((rgb[2] - y) / (2 * (1 - kb)), (rgb[0] - y) / (2 * (1 - kr)))
        let (peak, unit) = (Double((1 << depth) - 1), Double(1 << (depth - 8)))
        let middle = Double(1 << (depth - 1))
        let values =
            isFull
            ? [y * peak, cb * peak + middle, cr * peak + middle]
            : [(219 * y + 16) * unit, (224 * cb + 128) * unit, (224 * cr + 128) * unit]
        return values.map { Int(min(max($0.rounded(), 0), peak)) }
    }

    /// What those whole numbers stand for.
    static func decode(_ values: [Int], _ kr: Double, _ kb: Double, isFull: Bool, depth: Int) -> [Double] {
        let (peak, unit) = (Double((1 << depth) - 1), Double(1 << (depth - 8)))
        let middle = Double(1 << (depth - 1))
        let y = isFull ? Double(values[0]) / peak : (Double(values[0]) / unit - 16) / 219
        let chroma = values[1...].map { (Double($0) - middle) / (isFull ? peak : 224 * unit) }
        let (red, blue) = (y + 2 * (1 - kr) * chroma[1], y + 2 * (1 - kb) * chroma[0])
        let green = (y - kr * red - kb * blue) / (1 - kr - kb)
        return [red, green, blue].map { min(max($0, 0), 1) * 255 }
    }

    @Test(arguments: formats) func everyMatrixRangeAndDepthGivesTheTrueColourToTheNearestLevel(code: AVPixelFormat)
        throws
    {
        let format = try #require(PixelFormat(code))
        var converter = PictureConverter()
        for (matrix, kr, kb) in Self.weights {
            for isFull in [false, true] {
                for colour in Self.colours {
                    let values = Self.encode(colour, kr, kb, isFull: isFull, depth: format.depth)
                    let expected = Self.decode(values, kr, kb, isFull: isFull, depth: format.depth)
                    let frame = try TestFrame.make(
                        code, width: 22, height: 10,
                        tags: .init(
                            matrix: matrix, range: isFull ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG,
                            primaries: AVCOL_PRI_BT709, transfer: AVCOL_TRC_BT709)
                    ) { component, _, _ in values[component] }
                    for size in [PictureSize.original, .width(7)] {
                        var options = PictureOptions()
                        options.size = size
                        let deviation = try converter.picture(from: frame, options: options).picture.deviation(
                            from: expected)
                        #expect(deviation <= 0.51, "\(format.name) \(matrix) full \(isFull) \(colour) \(size)")
                    }
                }
            }
        }
    }

    @Test(arguments: [
        AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ411P,
    ])
    func formatsNamedForJPEGAreFullRange(code: AVPixelFormat) throws {
        let values = Self.encode([0.9, 0.3, 0.1], 0.299, 0.114, isFull: true, depth: 8)
        let expected = Self.decode(values, 0.299, 0.114, isFull: true, depth: 8)
        let frame = try TestFrame.make(code, width: 16, height: 8) { component, _, _ in values[component] }
        let (picture, report) = try picture(frame)
        #expect(picture.deviation(from: expected) <= 1)
        #expect(report.colour.range == .init(name: "full", isTagged: true))
    }

    @Test(arguments: [
        AV_PIX_FMT_RGB24, AV_PIX_FMT_BGR24, AV_PIX_FMT_RGBA, AV_PIX_FMT_ARGB, AV_PIX_FMT_GBRP, AV_PIX_FMT_GBRAP,
        AV_PIX_FMT_0RGB, AV_PIX_FMT_BGR0,
    ])
    func eightBitRGBComesBackExactly(code: AVPixelFormat) throws {
        let value = { (component: Int, x: Int, y: Int) in
            component == 3 ? 255 : (x * 37 + y * 101 + component * 59) % 256
        }
        let frame = try TestFrame.make(code, width: 19, height: 7, sample: value)
        let (picture, report) = try picture(frame)
        for y in 0..<7 { for x in 0..<19 { #expect(picture.pixel(x, y) == (0..<3).map { value($0, x, y) }) } }
        #expect(report.colour.matrix == .init(name: "gbr", isTagged: false))
        #expect(report.colour.range.name == "full")
    }

    @Test(arguments: [
        AV_PIX_FMT_GBRP10LE, AV_PIX_FMT_GBRP16LE, AV_PIX_FMT_RGB48LE, AV_PIX_FMT_RGB48BE, AV_PIX_FMT_RGB565LE,
        AV_PIX_FMT_X2RGB10LE,
    ])
    func deepAndShallowRGBIsRoundedToNearest(code: AVPixelFormat) throws {
        let depths = try #require(PixelFormat(code)).componentDepths
        let frame = try TestFrame.make(code, width: 16, height: 4) { component, x, _ in
            x * ((1 << depths[component]) - 1) / 15
        }
        let (picture, _) = try picture(frame)
        for x in 0..<16 {
            for component in 0..<3 {
                let peak = (1 << depths[component]) - 1
                let expected = Double(x * peak / 15) / Double(peak) * 255
                #expect(abs(Double(picture.pixel(x, 2)[component]) - expected) <= 0.51)
            }
        }
    }

    @Test(arguments: [
        (AV_PIX_FMT_GRAY8, 8), (AV_PIX_FMT_GRAY10LE, 10), (AV_PIX_FMT_GRAY16LE, 16), (AV_PIX_FMT_GRAY16BE, 16),
        (AV_PIX_FMT_YA8, 8),
    ])
    func greyFollowsItsRange(code: AVPixelFormat, depth: Int) throws {
        for (range, black, white) in [
            (AVCOL_RANGE_JPEG, 0, (1 << depth) - 1), (AVCOL_RANGE_MPEG, 16 << (depth - 8), 235 << (depth - 8)),
        ] {
            let frame = try TestFrame.make(code, width: 9, height: 5, tags: .init(range: range)) { component, x, _ in
                component == 1 ? (1 << depth) - 1 : x < 4 ? black : white
            }
            let (picture, _) = try picture(frame)
            #expect(picture.pixel(0, 0) == [0, 0, 0])
            #expect(picture.pixel(8, 4) == [255, 255, 255])
        }
    }

    @Test(
        "Grey is grey, whatever matrix and primaries are tagged",
        arguments: [
            (AVCOL_SPC_BT2020_CL, AVCOL_PRI_BT2020), (AVCOL_SPC_CHROMA_DERIVED_CL, AVCOL_PRI_SMPTE432),
            (AVCOL_SPC_SMPTE2085, AVCOL_PRI_UNSPECIFIED), (AVCOL_SPC_RGB, AVCOL_PRI_SMPTE428),
            (AVCOL_SPC_ICTCP, AVCOL_PRI_BT2020), (AVCOL_SPC_YCGCO, AVCOL_PRI_BT709),
        ])
    func greyStaysGrey(matrix: AVColorSpace, primaries: AVColorPrimaries) throws {
        let tags = ColourDescription.Tags(
            matrix: matrix, range: AVCOL_RANGE_JPEG, primaries: primaries, transfer: AVCOL_TRC_BT709)
        let frame = try TestFrame.make(AV_PIX_FMT_GRAY8, width: 256, height: 2, tags: tags) { _, x, _ in x }
        let (picture, _) = try picture(frame)
        for x in stride(from: 0, to: 256, by: 5) {
            let pixel = picture.pixel(x, 1)
            #expect(Set(pixel).count == 1 && abs(pixel[0] - x) <= 1, "\(x): \(pixel)")
        }
    }

    @Test(arguments: [(AV_PIX_FMT_MONOWHITE, [255, 0]), (AV_PIX_FMT_MONOBLACK, [0, 255])])
    func oneBitFormatsAreBlackAndWhite(code: AVPixelFormat, expected: [Int]) throws {
        let frame = try TestFrame.make(code, width: 21, height: 3) { _, x, _ in x % 2 }
        let (picture, _) = try picture(frame)
        for x in 0..<21 { #expect(picture.pixel(x, 1) == Array(repeating: expected[x % 2], count: 3)) }
    }

    @Test func palettesAreLookedUp() throws {
        let frame = try TestFrame.make(AV_PIX_FMT_PAL8, width: 4, height: 2) { frame in
            let palette = UnsafeMutableRawPointer(frame.pointee.data.1!).assumingMemoryBound(to: UInt32.self)
            for index in 0..<256 { palette[index] = 0xFF00_0000 }
            palette[7] = 0xFF10_80F0
        } sample: { _, x, _ in
            x == 2 ? 7 : 0
        }
        let (picture, _) = try picture(frame)
        #expect(picture.pixel(2, 1) == [0x10, 0x80, 0xF0])
        #expect(picture.pixel(1, 1) == [0, 0, 0])
    }

    @Test func yCgCoFollowsItsDefinition() throws {
        // YCgCo by its definition: t = Y - Cg; R = t + Co, G = Y + Cg, B = t - Co.
        let frame = try TestFrame.make(
            AV_PIX_FMT_YUV444P, width: 8, height: 8, tags: .init(matrix: AVCOL_SPC_YCGCO, range: AVCOL_RANGE_JPEG)
        ) { component, _, _ in [100, 138, 98][component] }
        let (picture, _) = try picture(frame)
        #expect(picture.deviation(from: [60, 110, 120]) <= 1)
    }

    @Test func widePrimariesBecomeSRGBInLinearLight() throws {
        // BT.2020 to BT.709 as ITU-R BT.2087 gives it, with four places.
        let rows = [[1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187]]
        for rgb in [[0.5, 0.5, 0.5], [0.6, 0.5, 0.4], [0.3, 0.4, 0.35]] {
            let light = rgb.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
            let expected = rows.map { row in
                let value = min(max(zip(row, light).map(*).reduce(0, +), 0), 1)
                return 255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055)
            }
            let values = Self.encode(rgb, 0.2627, 0.0593, isFull: false, depth: 10)
            let frame = try TestFrame.make(
                AV_PIX_FMT_YUV420P10LE, width: 16, height: 16,
                tags: .init(
                    matrix: AVCOL_SPC_BT2020_NCL, range: AVCOL_RANGE_MPEG, primaries: AVCOL_PRI_BT2020,
                    transfer: AVCOL_TRC_BT2020_10)
            ) { component, _, _ in values[component] }
            #expect(try picture(frame).picture.deviation(from: expected) <= 2, "\(rgb)")
        }
    }
}
