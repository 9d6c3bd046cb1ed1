import CFFmpeg

/// What a frame's numbers mean, each part with whether the stream said so.
///
/// What the stream leaves open is filled in by these rules, the first that fits:
/// - *matrix*: RGB, XYZ and palette formats: RGB. Motion JPEG: BT.601. Primaries tagged BT.709, BT.470 BG, SMPTE 170M,
///   SMPTE 240M or BT.2020: the matrix of the same standard. Transfer tagged PQ or HLG: BT.2020. Width from 1280 or
///   height above 576: BT.709. Else BT.601.
/// - *range*: RGB, XYZ and palette formats, the formats named yuvj, Motion JPEG, and grey (unless it comes from H.264,
///   HEVC, VVC or AV1, whose standards say limited): full. Else limited.
/// - *primaries*: XYZ formats and the matrix of SMPTE ST 2085: XYZ (SMPTE ST 428-1). BT.2020's matrices, ICtCp, and RGB
///   with a transfer of PQ or HLG: BT.2020. Else BT.709, which are sRGB's: the colours stay as coded.
/// - *transfer*: SMPTE ST 428-1 for XYZ, linear for floating point (OpenEXR, PFM), sRGB for RGB, PQ for ICtCp, BT.709 for
///   the rest.
package struct ColourDescription: Sendable, Hashable {
    /// One part, in FFmpeg's spelling of the standard terms (`bt709`, `smpte170m`); ranges are `limited` and `full`.
    package struct Part: Sendable, Hashable {
        package let name: String
        /// Whether the stream said so; `false`: guessed by the rules above.
        package let isTagged: Bool
    }

    package let matrix: Part
    package let range: Part
    package let primaries: Part
    package let transfer: Part

    let matrixCode: AVColorSpace
    let isFullRange: Bool
    /// Whether the numbers are made of X, Y and Z.
    let isXYZ: Bool
    let primariesCode: AVColorPrimaries
    let transferCode: AVColorTransferCharacteristic

    /// - Parameters:
    ///   - tags: As the frame has them.
    ///   - format: The frame's pixel format.
    ///   - codec: What it was decoded from.
    init(tags: Tags, format: PixelFormat, codec: AVCodecID, width: Int, height: Int) {
        let isMotionJPEG = codec == AV_CODEC_ID_MJPEG || codec == AV_CODEC_ID_MJPEGB
        let taggedMatrix = Self.isNamed(tags.matrix, format)
        matrixCode = taggedMatrix ? tags.matrix : Self.guessMatrix(tags, format, isMotionJPEG, width, height)

        let taggedRange = tags.range == AVCOL_RANGE_MPEG || tags.range == AVCOL_RANGE_JPEG
        let saysLimitedByDefault = [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_VVC, AV_CODEC_ID_AV1].contains(
            codec)
        // The formats named yuvj say it by their name.
        let formatRange = format.isFullRangeByName
        isFullRange =
            formatRange
            || (taggedRange
                ? tags.range == AVCOL_RANGE_JPEG
                : format.model == .rgb || isMotionJPEG || (format.model == .grey && !saysLimitedByDefault))

        let taggedPrimaries = format.isXYZ || Self.isNamed(tags.primaries)
        primariesCode =
            format.isXYZ
            ? AVCOL_PRI_SMPTE428
            : taggedPrimaries ? tags.primaries : Self.guessPrimaries(matrixCode, tags.transfer)
        isXYZ =
            matrixCode == AVCOL_SPC_SMPTE2085
            || (format.model == .rgb && matrixCode == AVCOL_SPC_RGB && primariesCode == AVCOL_PRI_SMPTE428)
        let taggedTransfer = Self.isNamed(tags.transfer)
        transferCode =
            taggedTransfer ? tags.transfer : Self.guessTransfer(matrixCode, format)

        matrix = unsafe Part(name: Self.name(av_color_space_name(matrixCode)), isTagged: taggedMatrix)
        range = Part(name: isFullRange ? "full" : "limited", isTagged: taggedRange || formatRange)
        primaries = unsafe Part(name: Self.name(av_color_primaries_name(primariesCode)), isTagged: taggedPrimaries)
        transfer = unsafe Part(name: Self.name(av_color_transfer_name(transferCode)), isTagged: taggedTransfer)
    }

    /// What Dolby Vision's own metadata make of a frame, whatever its tags say.
    init(_ metadata: DolbyVision) {
        matrixCode = AVCOL_SPC_UNSPECIFIED
        isFullRange = metadata.isFullRange
        isXYZ = false
        (primariesCode, transferCode) = (AVCOL_PRI_BT2020, AVCOL_TRC_SMPTE2084)
        // The name that H.273 has since 2024, and FFmpeg since 7.1, for a matrix of this kind.
        matrix = Part(name: "ipt-c2", isTagged: true)
        range = Part(name: isFullRange ? "full" : "limited", isTagged: true)
        primaries = unsafe Part(name: Self.name(av_color_primaries_name(primariesCode)), isTagged: true)
        transfer = unsafe Part(name: Self.name(av_color_transfer_name(transferCode)), isTagged: true)
    }

    /// What a frame says about its colours.
    struct Tags: Sendable, Hashable {
        var matrix = AVCOL_SPC_UNSPECIFIED
        var range = AVCOL_RANGE_UNSPECIFIED
        var primaries = AVCOL_PRI_UNSPECIFIED
        var transfer = AVCOL_TRC_UNSPECIFIED
    }

    /// A matrix tag counts if it is one and suits the format: YCbCr can't be RGB, and RGB can't be anything else. Grey has
    /// no use for it, and none of the differences that some of them are about.
    private static func isNamed(_ matrix: AVColorSpace, _ format: PixelFormat) -> Bool {
        if matrix == AVCOL_SPC_UNSPECIFIED || matrix == AVCOL_SPC_RESERVED { return false }
        guard unsafe av_color_space_name(matrix) != nil else { return false }
        if format.model == .grey {
            return ![AVCOL_SPC_BT2020_CL, AVCOL_SPC_CHROMA_DERIVED_CL, AVCOL_SPC_SMPTE2085].contains(matrix)
        }
        return (matrix == AVCOL_SPC_RGB) == (format.model == .rgb)
    }

    private static func guessMatrix(
        _ tags: Tags, _ format: PixelFormat, _ isMotionJPEG: Bool, _ width: Int, _ height: Int
    ) -> AVColorSpace {
        if format.model == .rgb { return AVCOL_SPC_RGB }
        if isMotionJPEG { return AVCOL_SPC_BT470BG }
        switch tags.primaries {
        case AVCOL_PRI_BT709: return AVCOL_SPC_BT709
        case AVCOL_PRI_BT470BG: return AVCOL_SPC_BT470BG
        case AVCOL_PRI_SMPTE170M: return AVCOL_SPC_SMPTE170M
        case AVCOL_PRI_SMPTE240M: return AVCOL_SPC_SMPTE240M
        case AVCOL_PRI_BT2020: return AVCOL_SPC_BT2020_NCL
        default:
            if TransferFunction(tags.transfer).isHighDynamicRange { return AVCOL_SPC_BT2020_NCL }
            return width >= 1280 || height > 576 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M
        }
    }

    private static func guessTransfer(
        _ matrix: AVColorSpace, _ format: PixelFormat
    ) -> AVColorTransferCharacteristic {
        if format.isXYZ { return AVCOL_TRC_SMPTE428 }
        if format.isFloat { return AVCOL_TRC_LINEAR }
        if format.model == .rgb { return AVCOL_TRC_IEC61966_2_1 }
        return matrix == AVCOL_SPC_ICTCP ? AVCOL_TRC_SMPTE2084 : AVCOL_TRC_BT709
    }

    private static func guessPrimaries(
        _ matrix: AVColorSpace, _ transfer: AVColorTransferCharacteristic
    ) -> AVColorPrimaries {
        switch matrix {
        case AVCOL_SPC_RGB where TransferFunction(transfer).isHighDynamicRange: AVCOL_PRI_BT2020
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL, AVCOL_SPC_ICTCP: AVCOL_PRI_BT2020
        case AVCOL_SPC_SMPTE2085: AVCOL_PRI_SMPTE428
        default: AVCOL_PRI_BT709
        }
    }

    private static func isNamed(_ code: AVColorPrimaries) -> Bool {
        let isCode = ![AVCOL_PRI_UNSPECIFIED, AVCOL_PRI_RESERVED, AVCOL_PRI_RESERVED0].contains(code)
        return unsafe isCode && av_color_primaries_name(code) != nil
    }

    private static func isNamed(_ code: AVColorTransferCharacteristic) -> Bool {
        let isCode = ![AVCOL_TRC_UNSPECIFIED, AVCOL_TRC_RESERVED, AVCOL_TRC_RESERVED0].contains(code)
        return unsafe isCode && av_color_transfer_name(code) != nil
    }

    private static func name(_ text: UnsafePointer<CChar>?) -> String {
        unsafe text.map { unsafe String(cString: $0) } ?? "unknown"
    }
}
