/// R'G'B' of Y'C'bC'r whose luma is the signal of luminance, so that chroma can't disturb it (BT.2020, table 4; H.273, 8.3,
/// `MatrixCoefficients` 10 and 13).
struct ConstantLuminance: Sendable {
    private let weights: SIMD3<Float>
    /// What C'b and C'r are multiplied by below and above 0.
    private let blue: (below: Float, above: Float)
    private let red: (below: Float, above: Float)
    private let light: LightTable
    private let signal: LightTable

    /// - Parameters:
    ///   - red: The weight of red in luminance.
    ///   - blue: That of blue.
    ///   - transfer: The curve between light and signal: the camera's own, not that of viewers.
    init(red: Double, blue: Double, transfer: TransferFunction) {
        weights = SIMD3<Float>([red, 1 - red - blue, blue])
        let factors = { (weight: Double) in
            (
                below: Float(2 * transfer.signal(ofLight: 1 - weight)),
                above: Float(2 * (1 - transfer.signal(ofLight: weight)))
            )
        }
        (self.blue, self.red) = (factors(blue), factors(red))
        light = LightTable(transfer.light(ofSignal:))
        signal = LightTable(transfer.signal(ofLight:))
    }

    /// Y', C'b and C'r, `distance` apart from each other, become R', G' and B' in place.
    func convert(_ values: UnsafeMutablePointer<Float>, count: Int, distance: Int) {
        light.withReader { light in
            signal.withReader { signal in
                for x in 0..<count {
                    let luma = unsafe values[x]
                    let (cb, cr) = unsafe (values[distance + x], values[2 * distance + x])
                    let b = luma + cb * (cb < 0 ? blue.below : blue.above)
                    let r = luma + cr * (cr < 0 ? red.below : red.above)
                    let g = (light[luma] - weights.x * light[r] - weights.z * light[b]) / weights.y
                    unsafe (values[x], values[distance + x], values[2 * distance + x]) = (r, signal[g], b)
                }
            }
        }
    }
}
