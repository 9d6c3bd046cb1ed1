import CFFmpeg
import SnapBase
import Testing

@testable import SnapMedia

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What becomes of PQ and HLG, whatever the metadata say.
@Suite struct HighDynamicRangeTests {
    /// BT.2100, table 4: from cd/m² to a signal.
    private static func pq(_ luminance: Double) -> Double {
        let power = pow(luminance / 10000, 2610.0 / 16384)
        return pow((3424.0 / 4096 + 2413.0 / 128 * power) / (1 + 2392.0 / 128 * power), 2523.0 / 32)
    }

    /// A frame of grey, in columns of a luminance each, 16 wide.
    private func greys(
        _ luminances: [Double], prepare: (UnsafeMutablePointer<AVFrame>) -> Void = { _ in }
    ) throws -> VideoFrame {
        try TestFrame.make(
            AV_PIX_FMT_YUV420P10LE, width: 16 * luminances.count, height: 16,
            tags: .init(
                matrix: AVCOL_SPC_BT2020_NCL, range: AVCOL_RANGE_MPEG, primaries: AVCOL_PRI_BT2020,
                transfer: AVCOL_TRC_SMPTE2084), prepare: prepare
        ) { component, x, _ in
            component > 0 ? 512 : Int((64 + 876 * Self.pq(luminances[x / 16])).rounded())
        }
    }

    private func level(_ picture: Picture, _ column: Int) -> Int { picture.pixel(16 * column + 8, 8)[0] }

    @Test func greyRisesToWhiteAndStaysGrey() throws {
        var facts = StreamFacts()
        facts.contentLight = ContentLight(brightestPixel: 1000, masteringPeak: nil)
        let (picture, report) = try picture(greys([0, 1, 26, 80, 203, 500, 1000, 4000]), facts: facts)
        let levels = (0..<8).map { level(picture, $0) }
        #expect(levels == levels.sorted() && levels[0] == 0 && levels[6] >= 254 && levels[7] == 255)
        // 26 cd/m² is below the knee: the same share of white, by the curve of sRGB.
        let light = 26.0 / 203
        #expect(abs(Double(levels[2]) - 255 * (1.055 * pow(light, 1 / 2.4) - 0.055)) <= 1)
        #expect((220...240).contains(levels[4]), "reference white is \(levels[4])")
        for column in 0..<8 { #expect(Set(picture.pixel(16 * column + 8, 8)).count == 1) }
        #expect(report.highDynamicRange == .toneMapped)
        #expect(report.peak == PeakLuminance(luminance: 1000, source: .contentLightLevel))
    }

    @Test func clippingShowsReferenceWhiteAsWhite() throws {
        var options = PictureOptions()
        options.highDynamicRange = .clipped
        let (picture, report) = try picture(greys([100, 203, 1000]), options: options)
        #expect(abs(Double(level(picture, 0)) - 255 * (1.055 * pow(100 / 203, 1 / 2.4) - 0.055)) <= 1)
        #expect(level(picture, 1) >= 254 && level(picture, 2) == 255)
        #expect(report.highDynamicRange == .clipped && report.peak == nil)
    }

    @Test func withoutMetadataThePeakIsMeasured() throws {
        let (picture, report) = try picture(greys([5, 50, 203, 600]))
        let peak = try #require(report.peak)
        #expect(peak.source == .measured && (590...620).contains(peak.luminance), "\(peak)")
        #expect(level(picture, 3) >= 253)
        // Nothing is brighter than white: nothing is darkened.
        let dim = try SnapMediaTests.picture(greys([5, 100]))
        #expect(abs(Double(level(dim.picture, 1)) - 255 * (1.055 * pow(100 / 203, 1 / 2.4) - 0.055)) <= 1)
    }

    @Test func theDisplayCountsWhereThePixelsAreNotKnown() throws {
        let frame = try greys([203, 4000]) { frame in
            let display = av_mastering_display_metadata_create_side_data(frame)
            display?.pointee.max_luminance = AVRational(num: 40_000_000, den: 10000)
            display?.pointee.has_luminance = 1
            _ = av_content_light_metadata_create_side_data(frame)
        }
        #expect(try picture(frame).report.peak == PeakLuminance(luminance: 4000, source: .masteringDisplay))
    }

    @Test(arguments: [(0, 0), (1, 0), (-5, 1), (.max, 1), (1, .max), (7, -1)] as [(Int32, Int32)])
    func absurdMetadataCountAsNone(numerator: Int32, denominator: Int32) throws {
        let frame = try greys([10, 400]) { frame in
            let display = av_mastering_display_metadata_create_side_data(frame)
            display?.pointee.max_luminance = AVRational(num: numerator, den: denominator)
            display?.pointee.has_luminance = 1
            av_content_light_metadata_create_side_data(frame)?.pointee.MaxCLL = .max
        }
        #expect(try picture(frame).report.peak?.source == .measured)
    }

    @Test func theScenesMaximumCountsBeforeTheVideos() throws {
        let frame = try greys([10, 400]) { frame in
            av_content_light_metadata_create_side_data(frame)?.pointee.MaxCLL = 4000
            let scene = av_dynamic_hdr_plus_create_side_data(frame)
            scene?.pointee.num_windows = 1
            scene?.pointee.params.0.maxscl.1 = AVRational(num: 8000, den: 100_000)
        }
        #expect(try picture(frame).report.peak == PeakLuminance(luminance: 800, source: .scene))
    }

    @Test func withoutTheScenesMaximumItsHighestPercentileCounts() throws {
        let frame = try greys([10, 400]) { frame in
            let scene = av_dynamic_hdr_plus_create_side_data(frame)
            scene?.pointee.num_windows = 1
            scene?.pointee.params.0.num_distribution_maxrgb_percentiles = 2
            scene?.pointee.params.0.distribution_maxrgb.0 = .init(
                percentage: 50, percentile: AVRational(num: 1, den: 9))
            scene?.pointee.params.0.distribution_maxrgb.1 = .init(
                percentage: 99, percentile: AVRational(num: 1, den: 20))
        }
        #expect(try picture(frame).report.peak == PeakLuminance(luminance: 500, source: .scene))
    }

    @Test(arguments: [(0, 1), (1, 0), (-5, 1), (.max, 1), (1, .max), (0, 0)] as [(Int32, Int32)])
    func absurdScenesCountAsNone(numerator: Int32, denominator: Int32) throws {
        let frame = try greys([10, 400]) { frame in
            av_content_light_metadata_create_side_data(frame)?.pointee.MaxCLL = 700
            let scene = av_dynamic_hdr_plus_create_side_data(frame)
            scene?.pointee.params.0.maxscl.0 = AVRational(num: numerator, den: denominator)
            scene?.pointee.params.0.num_distribution_maxrgb_percentiles = 255
            scene?.pointee.params.0.distribution_maxrgb.14.percentage = 99
        }
        #expect(try picture(frame).report.peak == PeakLuminance(luminance: 700, source: .contentLightLevel))
    }

    @Test func noSignalTrapsOrOverflows() throws {
        for transfer in [AVCOL_TRC_SMPTE2084, AVCOL_TRC_ARIB_STD_B67] {
            for matrix in [AVCOL_SPC_BT2020_NCL, AVCOL_SPC_ICTCP, AVCOL_SPC_BT2020_CL, AVCOL_SPC_RGB] {
                for way in HighDynamicRange.allCases {
                    let frame = try TestFrame.make(
                        matrix == AVCOL_SPC_RGB ? AV_PIX_FMT_GBRP16LE : AV_PIX_FMT_YUV444P16LE, width: 64, height: 64,
                        tags: .init(
                            matrix: matrix, range: AVCOL_RANGE_MPEG, primaries: AVCOL_PRI_BT2020, transfer: transfer)
                    ) { component, x, y in [x * 1040, y * 1040, (x ^ y) * 1040][component] }
                    var options = PictureOptions()
                    options.highDynamicRange = way
                    let (picture, _) = try picture(frame, options: options)
                    #expect(picture.bitsPerChannel == (way == .kept ? 16 : 8))
                }
            }
        }
    }

    /// What is kept: signals are what they were, to a step of 10 bits.
    @Test(arguments: [AVCOL_TRC_SMPTE2084, AVCOL_TRC_ARIB_STD_B67])
    func keepingKeepsTheSignals(transfer: AVColorTransferCharacteristic) throws {
        let frame = try TestFrame.make(
            AV_PIX_FMT_GBRP10LE, width: 32, height: 8,
            tags: .init(
                matrix: AVCOL_SPC_RGB, range: AVCOL_RANGE_JPEG, primaries: AVCOL_PRI_BT2020, transfer: transfer)
        ) { component, x, _ in x * 33 * (component + 1) / 3 }
        var options = PictureOptions()
        options.highDynamicRange = .kept
        let (picture, report) = try picture(frame, options: options)
        #expect(picture.colour == PictureColour(primaries: 9, transfer: UInt8(transfer.rawValue)))
        #expect(report.highDynamicRange == .kept && report.peak == nil)
        for x in 0..<32 {
            let bytes = picture.pixel(x, 3)
            for component in 0..<3 {
                let value = bytes[2 * component] << 8 | bytes[2 * component + 1]
                let expected = Double(x * 33 * (component + 1) / 3) / 1023 * 65535
                #expect(abs(Double(value) - expected) <= 1)
            }
        }
    }

    @Test func keptICtCpSaysBT2020WhichItIsBroughtTo() throws {
        let frame = try TestFrame.make(
            AV_PIX_FMT_YUV444P10LE, width: 8, height: 4,
            tags: .init(
                matrix: AVCOL_SPC_ICTCP, range: AVCOL_RANGE_MPEG, primaries: AVCOL_PRI_SMPTE432,
                transfer: AVCOL_TRC_SMPTE2084)
        ) { component, _, _ in component == 0 ? 400 : 512 }
        var options = PictureOptions()
        options.highDynamicRange = .kept
        #expect(try picture(frame, options: options).0.colour == PictureColour(primaries: 9, transfer: 16))
    }

    @Test func keptPicturesTurnAndPadInTheirOwnColours() throws {
        var options = PictureOptions()
        options.highDynamicRange = .kept
        options.size = .box(width: 64, height: 64)
        options.fit = .pad
        options.background = .white
        var facts = StreamFacts()
        facts.displayMatrix = [0, 65536, 0, -65536, 0, 0, 0, 0, 1 << 30]
        let (picture, _) = try picture(greys([0, 1000, 1000, 1000]), facts: facts, options: options)
        #expect((picture.width, picture.height, picture.bytes.count) == (64, 64, 64 * 64 * 6))
        let samples = { (x: Int, y: Int) in
            let bytes = picture.pixel(x, y)
            return stride(from: 0, to: 6, by: 2).map { Double(bytes[$0] << 8 | bytes[$0 + 1]) / 65535 }
        }
        for value in samples(2, 2) { #expect(abs(value - Self.pq(203)) < 0.001, "the padding") }
        for value in samples(32, 4) { #expect(value < 0.002, "left became top") }
        for value in samples(32, 60) { #expect(abs(value - Self.pq(1000)) < 0.001) }
    }
}
