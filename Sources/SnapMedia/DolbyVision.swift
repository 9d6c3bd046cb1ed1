/// The way from samples to light that a frame of Dolby Vision carries in its own metadata, the RPU.
///
/// Each component is reshaped by its curve, a matrix makes PQ signals of three cones' light of them, and from that light
/// another one, with a third that is the same for all videos, leads to BT.2020. Where the tags of the stream say something
/// else, they don't count. Trims for displays (levels 1 and above) are not in what FFmpeg 5.1 passes on.
///
/// The composer's curves are those of ETSI GS CCM 001; the colour metadata is described in libavutil/dovi_meta.h.
struct DolbyVision: Sendable, Hashable {
    /// One for each component.
    let curves: [ReshapingCurve]
    /// From reshaped components of 0 to 1 to signals of L'M'S'.
    let matrix: Matrix3
    /// Added after the matrix.
    let offset: SIMD3<Double>
    /// From the light of the cones to linear light of BT.2020.
    let rgb: Matrix3
    /// What the display could show on which the video was graded, in cd/m²; 0 where it isn't known.
    let masteringPeak: Double
    let isFullRange: Bool
    /// Whether the metadata are those of profile 5, which has no other meaning.
    let isProfile5: Bool

    /// From XYZ (white D65) to the cones' light of Hunt, Pointer and Estevez, white being 1, 1, 1 (F. Ebner and
    /// M. Fairchild, IPT, 1998), and on to BT.2020 backwards.
    static let rgbOfCones =
        (Matrix3([0.4002, 0.7076, -0.0808], [-0.2263, 1.1653, 0.0457], [0, 0, 0.9182]) * ColourPrimaries.bt2020.toXYZ)
        .inverse

    /// - Parameters:
    ///   - neutral: What the matrix takes for black and grey, of each reshaped component.
    ///   - depth: Bits of what curves make: their 1 is one more than the largest number, which is the matrix's 1.
    ///   - cones: From the light of the matrix's signals to that of the cones.
    init(
        curves: [ReshapingCurve], matrix: Matrix3, neutral: SIMD3<Double>, depth: Int, cones: Matrix3,
        masteringPeak: Double, isFullRange: Bool, isProfile5: Bool
    ) {
        self.curves = curves
        let steps = Double(1 << depth)
        self.matrix = matrix * Matrix3(diagonal: SIMD3(repeating: steps / (steps - 1)))
        offset = -(self.matrix * neutral)
        rgb = Self.rgbOfCones * cones
        self.masteringPeak = masteringPeak
        (self.isFullRange, self.isProfile5) = (isFullRange, isProfile5)
    }
}
