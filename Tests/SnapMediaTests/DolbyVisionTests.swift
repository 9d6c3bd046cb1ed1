import CFFmpeg
import SnapBase
import Testing

@testable import SnapMedia

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Colours that come by Dolby Vision's own metadata.
@Suite struct DolbyVisionTests {
    /// Patches of 10 bits side by side, 4 wide, with metadata.
    private func frame(_ patches: [[Int]], _ metadata: DolbyMetadata?) throws -> VideoFrame {
        try TestFrame.make(
            AV_PIX_FMT_YUV444P10LE, width: 4 * patches.count, height: 2,
            // Tags that don't count.
            tags: .init(matrix: AVCOL_SPC_BT709, range: AVCOL_RANGE_MPEG, transfer: AVCOL_TRC_BT709)
        ) {
            metadata?.attach(to: $0)
        } sample: { component, x, _ in
            patches[x / 4][component]
        }
    }

    private var facts: StreamFacts {
        var facts = StreamFacts()
        facts.needsDolbyVision = true
        facts.dolbyVisionProfile = 5
        return facts
    }

    private var kept: PictureOptions {
        var options = PictureOptions()
        options.highDynamicRange = .kept
        return options
    }

    /// BT.2100, table 4: from a signal to cd/m².
    private static func light(_ signal: Double) -> Double {
        let power = pow(signal, 32.0 / 2523)
        return 10000 * pow(max(power - 3424.0 / 4096, 0) / (2413.0 / 128 - 2392.0 / 128 * power), 16384.0 / 2610)
    }

    @Test("Colours come out within a CIEDE2000 of 1, as reference.py computes them from the standards")
    func reference() throws {
        #expect(DolbyPatch.all.count == 238)
        var count = 0
        for patches in Dictionary(grouping: DolbyPatch.all, by: \.metadata).values {
            let frame = try frame(patches.map(\.samples), patches[0].metadata)
            let (picture, report) = try picture(frame, facts: facts)
            let (deep, _) = try SnapMediaTests.picture(frame, facts: facts, options: kept)
            #expect(report.dolbyVisionProfile == 5 && report.peak?.source == .masteringDisplay)
            #expect(report.colour.transfer == .init(name: "smpte2084", isTagged: true))
            #expect(deep.colour == PictureColour(primaries: 9, transfer: 16))
            for (index, patch) in patches.enumerated() {
                let colour = picture.pixel(4 * index + 1, 1)
                if patch.isInside {
                    let difference = ColourDifference.ciede2000(patch.colour, colour.map(Double.init))
                    #expect(difference <= 1, "\(patch) became \(colour)")
                    count += 1
                } else {
                    let turn = ColourDifference.hueTurn(fromLight: patch.colour, to: colour)
                    #expect((turn ?? 0) <= 6, "\(patch) became \(colour)")
                }
                let bytes = deep.pixel(4 * index + 1, 1)
                let kept = (0..<3).map { Self.light(Double(bytes[2 * $0] << 8 | bytes[2 * $0 + 1]) / 65535) }
                let expected = patch.kept.map(Self.light)
                let tolerance = 0.01 * (expected.max() ?? 0) + 0.001
                #expect(zip(kept, expected).allSatisfy { abs($0 - $1) < tolerance }, "\(patch) was kept as \(kept)")
            }
        }
        #expect(count > 100)
    }

    /// What profile 8 carries says the same of the picture as the tags of HDR10.
    @Test func metadataOfHDR10GiveThePictureOfHDR10() throws {
        let patches = (0..<40).map { index in
            [64 + 20 * index, 512 + (index * 37) % 60 - 30, 512 + (index * 53) % 60 - 30]
        }
        let tagged = try TestFrame.make(
            AV_PIX_FMT_YUV444P10LE, width: 160, height: 2,
            tags: .init(
                matrix: AVCOL_SPC_BT2020_NCL, range: AVCOL_RANGE_MPEG, primaries: AVCOL_PRI_BT2020,
                transfer: AVCOL_TRC_SMPTE2084)
        ) { component, x, _ in patches[x / 4][component] }
        var (plain, dolby) = (StreamFacts(), facts)
        plain.contentLight = ContentLight(brightestPixel: 1000, masteringPeak: nil)
        dolby.contentLight = plain.contentLight
        let expected = try picture(tagged, facts: plain)
        let (actual, report) = try picture(frame(patches, .ycbcr), facts: dolby)
        for x in stride(from: 1, to: 160, by: 4) {
            let (first, second) = (expected.picture.pixel(x, 0).map(Double.init), actual.pixel(x, 0).map(Double.init))
            #expect(ColourDifference.ciede2000(first, second) <= 1, "\(patches[x / 4]): \(first), \(second)")
        }
        #expect(report.peak == expected.report.peak)
    }

    @Test func referenceWhiteIsWhiteWhereHighlightsAreClipped() throws {
        var options = PictureOptions()
        options.highDynamicRange = .clipped
        // 203 cd/m² is a PQ signal of 0.5807.
        let (picture, report) = try picture(
            frame([[596, 512, 512], [900, 512, 512]], .ipt), facts: facts, options: options)
        for x in [1, 5] { #expect(picture.pixel(x, 0).allSatisfy { $0 >= 254 }) }
        #expect(report.highDynamicRange == .clipped)
    }

    @Test func profile5IsKnownByItsMetadataWhereTheContainerSaysNothing() throws {
        let grey = [[512, 512, 512]]
        #expect(try picture(frame(grey, .ipt)).report.dolbyVisionProfile == 5)
        #expect(try picture(frame(grey, .ycbcr)).report.dolbyVisionProfile == nil)
    }

    @Test func otherProfilesShowTheirBaseLayer() throws {
        var facts = StreamFacts()
        facts.dolbyVisionProfile = 8
        facts.dolbyVisionCompatibility = 1
        let (_, report) = try picture(frame([[512, 512, 512]], .ycbcr), facts: facts)
        #expect(report.dolbyVisionProfile == nil && report.colour.matrix.name == "bt709")
    }

    @Test func withoutAPlausiblePeakItIsMeasured() throws {
        var metadata = DolbyMetadata.ipt
        metadata.peak = 0
        // 600 cd/m²: a signal of 0.6975.
        let (_, report) = try picture(frame([[300, 512, 512], [714, 512, 512]], metadata), facts: facts)
        let peak = try #require(report.peak)
        #expect(peak.source == .measured && (580...625).contains(peak.luminance), "\(peak)")
    }

    @Test func framesWithoutMetadataAreRefused() throws {
        #expect(throws: PictureError.noDolbyVisionMetadata(profile: 5)) {
            _ = try picture(frame([[512, 512, 512]], nil), facts: facts)
        }
    }

    typealias Breaking = @Sendable (UnsafeMutablePointer<AVDOVIMetadata>) -> Void
    static let breakings: [Breaking] = [
        { av_dovi_get_header($0).pointee.bl_bit_depth = 0 },
        { av_dovi_get_header($0).pointee.bl_bit_depth = 255 },
        { av_dovi_get_header($0).pointee.vdr_bit_depth = 0 },
        { av_dovi_get_header($0).pointee.coef_log2_denom = 200 },
        { av_dovi_get_mapping($0).pointee.curves.0.num_pivots = 0 },
        { av_dovi_get_mapping($0).pointee.curves.1.num_pivots = 1 },
        { av_dovi_get_mapping($0).pointee.curves.2.num_pivots = 200 },
        { av_dovi_get_mapping($0).pointee.curves.0.pivots.1 = 0 },
        { av_dovi_get_mapping($0).pointee.curves.0.poly_order.0 = 0 },
        { av_dovi_get_mapping($0).pointee.curves.0.poly_order.0 = 255 },
        { av_dovi_get_mapping($0).pointee.curves.0.poly_coef.0.1 = .max },
        { av_dovi_get_mapping($0).pointee.curves.1.poly_coef.0.0 = .min },
        { av_dovi_get_mapping($0).pointee.curves.1.mapping_idc.0 = AV_DOVI_MAPPING_MMR },
        {
            let curve = av_dovi_get_mapping($0).pointer(to: \.curves.2)!
            curve.pointee.mapping_idc.0 = AV_DOVI_MAPPING_MMR
            curve.pointee.mmr_order.0 = 4
        },
        {
            let curve = av_dovi_get_mapping($0).pointer(to: \.curves.2)!
            curve.pointee.mapping_idc.0 = AV_DOVI_MAPPING_MMR
            curve.pointee.mmr_order.0 = 3
            curve.pointee.mmr_constant.0 = .min
        },
        { av_dovi_get_color($0).pointee.ycc_to_rgb_matrix.4.den = 0 },
        { av_dovi_get_color($0).pointee.ycc_to_rgb_offset.2.den = 0 },
        { av_dovi_get_color($0).pointee.rgb_to_lms_matrix.8.den = 0 },
    ]

    @Test(arguments: breakings.indices) func brokenMetadataAreRefused(index: Int) throws {
        var metadata = DolbyMetadata.ipt
        metadata.breaking = Self.breakings[index]
        #expect(throws: PictureError.noDolbyVisionMetadata(profile: 5)) {
            _ = try picture(frame([[512, 512, 512]], metadata), facts: facts)
        }
    }

    @Test func noMetadataTrapOrOverflow() throws {
        let patches = (0..<64).map { index in [index * 1023 / 63, (index * 331) % 1024, (index * 577) % 1024] }
        var wild = DolbyMetadata.ipt
        wild.matrix = [.max, .min, .max, .min, .max, .min, 0, 0, 0]
        wild.neutral = [.min, .max, 0]
        wild.cones = [.max, .min, .max, .max, .min, .max, 0, 0, 0]
        wild.peak = .max
        let most: Int64 = 1_000_000 << 23
        wild.curves[0].pieces = [.polynomial([most, -most, most])]
        wild.curves[1].pieces = [.mixed((0..<22).map { $0 % 2 == 0 ? most : -most })]
        wild.curves[2] = .init(
            pivots: [0, 1, 2, 500, 1020, 1021, 1022, 1023, 65535],
            pieces: .init(repeating: .polynomial([-most, most, -most]), count: 8))
        for way in HighDynamicRange.allCases {
            for peak in [0, 4095, .max] as [UInt16] {
                var options = PictureOptions()
                options.highDynamicRange = way
                wild.peak = peak
                let (picture, _) = try picture(frame(patches, wild), facts: facts, options: options)
                #expect(picture.width == 256)
            }
        }
    }
}
