/// Makes signals of cones' light of Dolby Vision's samples, in single precision.
struct Reshaper: Sendable {
    private let curves: (ReshapingCurve, ReshapingCurve, ReshapingCurve)
    private let columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)
    private let offset: SIMD3<Float>

    init(_ metadata: DolbyVision) {
        curves = (metadata.curves[0], metadata.curves[1], metadata.curves[2])
        let rows = metadata.matrix.transposed.rows
        columns = (SIMD3<Float>(rows.0), SIMD3<Float>(rows.1), SIMD3<Float>(rows.2))
        offset = SIMD3<Float>(metadata.offset)
    }

    /// - Parameter sample: 0 to 1.
    /// - Returns: L'M'S' by PQ, some of it below 0 or above 1.
    @inline(__always)
    func callAsFunction(_ sample: SIMD3<Float>) -> SIMD3<Float> {
        let terms = ReshapingCurve.Terms(of: sample)
        return columns.0 * curves.0(sample.x, terms) + columns.1 * curves.1(sample.y, terms) + columns.2
            * curves.2(sample.z, terms) + offset
    }

    /// Three channels of samples, `distance` apart from each other, become L'M'S' in place.
    func convert(_ values: UnsafeMutablePointer<Float>, count: Int, distance: Int) {
        for x in 0..<count {
            let signals = unsafe self(SIMD3(values[x], values[distance + x], values[2 * distance + x]))
            unsafe (values[x], values[distance + x], values[2 * distance + x]) = (signals.x, signals.y, signals.z)
        }
    }
}
