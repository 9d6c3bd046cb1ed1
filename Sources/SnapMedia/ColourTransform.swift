import CFFmpeg

/// The linear map from three samples of 16 bits to R'G'B' of 0 to 1: matrix, range and depth in one.
///
/// It ends at what ``LightConversion/Model`` says where the way to R'G'B' is not linear: at L'M'S' for ICtCp, at X'Y'Z' for
/// what is made of them, at Y'C'bC'r of 0 to 1 and -0.5 to 0.5 for constant luminance, and at samples of 0 to 1 for
/// Dolby Vision's own metadata.
struct ColourTransform: Sendable, Hashable {
    let matrix: Matrix3
    /// Added after the matrix.
    let offset: SIMD3<Double>

    /// - Parameters:
    ///   - white: The largest sample of the depth, moved up to 16 bits.
    /// - Throws: ``PictureError/unsupportedMatrix(_:)``.
    init(_ colour: ColourDescription, model: PixelFormat.Model, white: Int) throws(PictureError) {
        // ITU-T H.273, 8.3: limited range has 219 steps of luma (and of R, G, B) and 224 of chroma at 8 bits;
        // 16 bits have them 256 times as large.
        let isFull = colour.isFullRange
        let lumaScale = isFull ? Double(white) : 219 * 256
        let black: Double = isFull ? 0 : 16 * 256
        let toRGB: Matrix3
        var zero = SIMD3<Double>(repeating: black)
        var scale = SIMD3<Double>(repeating: lumaScale)
        switch model {
        case .rgb, .grey: toRGB = Matrix3(diagonal: .one)
        case .ycbcr:
            toRGB = try Self.matrix(colour)
            zero = [black, 32768, 32768]
            scale = isFull ? scale : [lumaScale, 224 * 256, 224 * 256]
        }
        matrix = toRGB * Matrix3(diagonal: 1 / scale)
        offset = -(matrix * zero)
    }

    /// Samples over the number of them there are, as Dolby Vision's metadata take them.
    static let samples = ColourTransform(matrix: Matrix3(diagonal: SIMD3(repeating: 0x1p-16)), offset: .zero)

    private init(matrix: Matrix3, offset: SIMD3<Double>) { (self.matrix, self.offset) = (matrix, offset) }

    /// The samples that become R'G'B' of 0.
    var black: SIMD3<UInt16> {
        let samples = (matrix.inverse * -offset)
            .clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 65535))
        return SIMD3<UInt16>(samples, rounding: .toNearestOrAwayFromZero)
    }

    private static func matrix(_ colour: ColourDescription) throws(PictureError) -> Matrix3 {
        switch colour.matrixCode {
        case AVCOL_SPC_BT709: weights(0.2126, 0.0722)
        case AVCOL_SPC_FCC: weights(0.30, 0.11)
        case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M: weights(0.299, 0.114)
        case AVCOL_SPC_SMPTE240M: weights(0.212, 0.087)
        case AVCOL_SPC_BT2020_NCL: weights(0.2627, 0.0593)
        // H.273, equations 56 to 58 backwards: X' and Z' by what remains of them after Y'.
        case AVCOL_SPC_SMPTE2085: Matrix3([0.991902, 0, 2], [1, 0, 0], [1 / 0.986566, 2 / 0.986566, 0])
        case AVCOL_SPC_YCGCO: Matrix3([1, -1, 1], [1, 1, 0], [1, -1, -1])
        case AVCOL_SPC_CHROMA_DERIVED_NCL: try derived(colour)
        case AVCOL_SPC_BT2020_CL: Matrix3(diagonal: .one)
        case AVCOL_SPC_CHROMA_DERIVED_CL where ColourPrimaries(colour.primariesCode) != nil: Matrix3(diagonal: .one)
        case AVCOL_SPC_ICTCP: (TransferFunction(colour.transferCode) == .hlg ? ictcpOfHLG : ictcpOfPQ).inverse
        default: throw .unsupportedMatrix(colour.matrix.name)
        }
    }

    /// From Kr and Kb, the weights of red and blue in luma.
    private static func weights(_ red: Double, _ blue: Double) -> Matrix3 {
        let green = 1 - red - blue
        let (fromCr, fromCb) = (2 * (1 - red), 2 * (1 - blue))
        return Matrix3([1, 0, fromCr], [1, -fromCb * blue / green, -fromCr * red / green], [1, fromCb, 0])
    }

    /// From linear light of BT.2020's primaries to that of the cones (BT.2100, table 7).
    static let lmsOfBT2020 = Matrix3(
        [1688 / 4096, 2146 / 4096, 262 / 4096], [683 / 4096, 2951 / 4096, 462 / 4096],
        [99 / 4096, 309 / 4096, 3688 / 4096])
    /// From L'M'S' by the curve of PQ to ICtCp (BT.2100, table 7).
    static let ictcpOfPQ = Matrix3(
        [0.5, 0.5, 0], [6610 / 4096, -13613 / 4096, 7003 / 4096], [17933 / 4096, -17390 / 4096, -543 / 4096])
    /// From L'M'S' by the curve of HLG to ICtCp (BT.2100, table 7).
    static let ictcpOfHLG = Matrix3(
        [0.5, 0.5, 0], [3625 / 4096, -7465 / 4096, 3840 / 4096], [9500 / 4096, -9212 / 4096, -288 / 4096])

    /// The weights that follow from the primaries: their luminances.
    private static func derived(_ colour: ColourDescription) throws(PictureError) -> Matrix3 {
        guard let primaries = ColourPrimaries(colour.primariesCode) else {
            throw .unsupportedMatrix(colour.matrix.name)
        }
        let luminances = primaries.toXYZ.rows.1
        return weights(luminances.x, luminances.z)
    }
}
