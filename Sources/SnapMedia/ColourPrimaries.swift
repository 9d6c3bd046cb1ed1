import CFFmpeg

/// What red, green, blue and white are: chromaticities (x, y) of ITU-T H.273, table 2.
struct ColourPrimaries: Sendable, Hashable {
    /// From linear RGB to CIE XYZ, white having a luminance of 1 (SMPTE RP 177).
    let toXYZ: Matrix3
    let white: SIMD2<Double>

    private static let d65: SIMD2<Double> = [0.3127, 0.3290]
    /// Of digital cinema's projectors (SMPTE RP 431-2).
    private static let cinema: SIMD2<Double> = [0.314, 0.351]
    private static let c: SIMD2<Double> = [0.310, 0.316]

    /// BT.709 and sRGB.
    static let bt709 = Self(red: [0.640, 0.330], green: [0.300, 0.600], blue: [0.150, 0.060], white: d65)
    static let bt470m = Self(red: [0.67, 0.33], green: [0.21, 0.71], blue: [0.14, 0.08], white: c)
    static let bt470bg = Self(red: [0.64, 0.33], green: [0.29, 0.60], blue: [0.15, 0.06], white: d65)
    static let smpte170m = Self(red: [0.630, 0.340], green: [0.310, 0.595], blue: [0.155, 0.070], white: d65)
    static let film = Self(red: [0.681, 0.319], green: [0.243, 0.692], blue: [0.145, 0.049], white: c)
    static let bt2020 = Self(red: [0.708, 0.292], green: [0.170, 0.797], blue: [0.131, 0.046], white: d65)
    /// DCI P3 with the cinema's own white.
    static let smpte431 = Self(
        red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060], white: cinema)
    /// Display P3.
    static let smpte432 = Self(red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060], white: d65)
    static let ebu3213 = Self(red: [0.630, 0.340], green: [0.295, 0.605], blue: [0.155, 0.077], white: d65)

    init?(_ primaries: AVColorPrimaries) {
        switch primaries {
        case AVCOL_PRI_BT709: self = .bt709
        case AVCOL_PRI_BT470M: self = .bt470m
        case AVCOL_PRI_BT470BG: self = .bt470bg
        case AVCOL_PRI_SMPTE170M, AVCOL_PRI_SMPTE240M: self = .smpte170m
        case AVCOL_PRI_FILM: self = .film
        case AVCOL_PRI_BT2020: self = .bt2020
        case AVCOL_PRI_SMPTE431: self = .smpte431
        case AVCOL_PRI_SMPTE432: self = .smpte432
        case AVCOL_PRI_EBU3213: self = .ebu3213
        default: return nil
        }
    }

    private init(red: SIMD2<Double>, green: SIMD2<Double>, blue: SIMD2<Double>, white: SIMD2<Double>) {
        let columns = Matrix3(Self.xyz(red), Self.xyz(green), Self.xyz(blue)).transposed
        toXYZ = columns * Matrix3(diagonal: columns.inverse * Self.xyz(white))
        self.white = white
    }

    /// X, Y and Z for red, green and blue (SMPTE ST 428-1).
    ///
    /// H.273 gives them a white of equal energy, which no screen shows as white: it is the projector's in a cinema's
    /// signals, and D65 in others.
    static func xyz(transfer: TransferFunction) -> Self {
        Self(toXYZ: Matrix3(diagonal: .one), white: transfer == .smpte428 ? cinema : d65)
    }

    private init(toXYZ: Matrix3, white: SIMD2<Double>) { (self.toXYZ, self.white) = (toXYZ, white) }

    private static func xyz(_ point: SIMD2<Double>) -> SIMD3<Double> {
        [point.x / point.y, 1, (1 - point.x - point.y) / point.y]
    }

    /// From linear RGB of these primaries to linear RGB of others; white becomes white.
    func conversion(to other: ColourPrimaries) -> Matrix3 {
        other.toXYZ.inverse * adaptation(to: Self.xyz(other.white)) * toXYZ
    }

    /// From CIE XYZ beside this white to CIE XYZ beside another, by Bradford's cones.
    func adaptation(to other: SIMD3<Double>) -> Matrix3 {
        let cone = Matrix3([0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296])
        let gain = (cone * other) / (cone * Self.xyz(white))
        return cone.inverse * Matrix3(diagonal: gain) * cone
    }
}
