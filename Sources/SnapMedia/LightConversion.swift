import CFFmpeg

/// What stands between R'G'B' as coded and R'G'B' of sRGB, where that is not the same.
struct LightConversion: Sendable, Hashable {
    /// What ``ColourTransform`` gives.
    enum Model: Sendable, Hashable {
        case rgb
        /// The signals of three other lights (L'M'S' of BT.2100, X'Y'Z'), of which the matrix makes red, green and blue.
        case lights(toRGB: Matrix3)
        /// Samples that the metadata lead to the signals of three cones' lights.
        case dolbyVision(DolbyVision)
        /// Y'C'bC'r whose luma is made of linear light; the weights of red and blue.
        case constantLuminance(red: Double, blue: Double)
    }

    /// What becomes of light above SDR's white.
    enum Highlights: Sendable, Hashable {
        /// There is none: SDR.
        case none
        /// Drawn together, so that the peak (in cd/m²) becomes white.
        case compressed(peak: Double)
        /// Cut off at ``ToneCurve/white``.
        case clipped
        /// As coded: the result stays in the video's own primaries and transfer.
        case kept
    }

    let model: Model
    let transfer: TransferFunction
    let primaries: ColourPrimaries
    var highlights: Highlights

    /// - Returns: `nil` where the numbers are good as they are: R'G'B' of sRGB's primaries, which are BT.709's, and a
    ///   camera's curve or sRGB's.
    init?(_ colour: ColourDescription, dolbyVision: DolbyVision? = nil, highlights: Highlights = .none) {
        transfer = TransferFunction(colour.transferCode)
        self.highlights = highlights
        if let dolbyVision {
            (model, primaries) = (.dolbyVision(dolbyVision), .bt2020)
            return
        }
        if colour.isXYZ {
            let xyz = ColourPrimaries.xyz(transfer: transfer)
            (model, primaries) = (.lights(toRGB: xyz.conversion(to: .bt2020)), .bt2020)
            return
        }
        let primaries = ColourPrimaries(colour.primariesCode) ?? .bt709
        switch colour.matrixCode {
        case AVCOL_SPC_ICTCP:
            (model, self.primaries) = (.lights(toRGB: ColourTransform.lmsOfBT2020.inverse), .bt2020)
            return
        case AVCOL_SPC_BT2020_CL: model = .constantLuminance(red: 0.2627, blue: 0.0593)
        case AVCOL_SPC_CHROMA_DERIVED_CL:
            let luminances = primaries.toXYZ.rows.1
            model = .constantLuminance(red: luminances.x, blue: luminances.z)
        default: model = .rgb
        }
        self.primaries = primaries
        if model == .rgb, primaries == .bt709, transfer == .bt709 || transfer == .sRGB { return nil }
    }
}
