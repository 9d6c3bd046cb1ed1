/// Signals of the cones' light by PQ (Recommendation ITU-R BT.2100, table 7) from and to linear light of BT.709's
/// primaries, of which 1 is ``ToneCurve/white``.
struct ConeSignals: Sendable {
    private typealias Vector = SIMD3<Float>
    private struct Matrix {
        let columns: (Vector, Vector, Vector)
        init(_ matrix: Matrix3) {
            let rows = matrix.transposed.rows
            columns = (Vector(rows.0), Vector(rows.1), Vector(rows.2))
        }
        @inline(__always)
        static func * (matrix: Matrix, vector: Vector) -> Vector {
            matrix.columns.0 * vector.x + matrix.columns.1 * vector.y + matrix.columns.2 * vector.z
        }
    }

    // By way of BT.2020's primaries.
    private static let toLMS = ColourTransform.lmsOfBT2020 * ColourPrimaries.bt709.conversion(to: .bt2020)
    private let lms = Matrix(Self.toLMS)
    private let rgb = Matrix(Self.toLMS.inverse)
    private let ictcp = Matrix(ColourTransform.ictcpOfPQ)
    private let signals = Matrix(ColourTransform.ictcpOfPQ.inverse)

    private let signal = LightTable { TransferFunction.pq.signal(ofLight: $0 * ToneCurve.white / ToneCurve.largest) }
    /// The light of a signal, and the way to that of the next.
    private let light: [SIMD2<Float>]

    // Computed, so that inner loops have numbers and need not ask whether they have been made yet.
    private static var levels: Int { 4096 }

    init() {
        let lights = (0...Self.levels + 1).map { step in
            let part = TransferFunction.pq.light(ofSignal: Double(step) / Double(Self.levels))
            return Float(part * ToneCurve.largest / ToneCurve.white)
        }
        light = zip(lights, lights.dropFirst()).map { SIMD2($0, $1 - $0) }
    }

    /// L'M'S' of a light. They are finite whatever it is.
    @inline(__always)
    func callAsFunction(_ colour: SIMD3<Float>) -> SIMD3<Float> {
        let cone = lms * colour
        return signal.withReader { SIMD3($0[cone.x], $0[cone.y], $0[cone.z]) }
    }

    /// Intensity and the two opponents, Ct and Cp, of L'M'S'.
    @inline(__always)
    func opponents(of signals: SIMD3<Float>) -> SIMD3<Float> { ictcp * signals }

    /// L'M'S' of intensity, Ct and Cp.
    func ofOpponents(_ opponents: SIMD3<Float>) -> SIMD3<Float> { signals * opponents }

    /// The light of L'M'S', those below 0 and above 1 counting as 0 and 1.
    @inline(__always)
    func light(of signals: SIMD3<Float>) -> SIMD3<Float> {
        let place =
            signals.replacing(with: 0, where: signals .< 0).replacing(with: 1, where: signals .> 1)
            * Float(Self.levels)
        let lower = place - 0.5
        // Adding 2 to the 23 leaves the nearest integer in the low bits.
        let index = lower.replacing(with: 0, where: lower .< 0) + 8_388_608
        let rest = place - (index - 8_388_608)
        return unsafe light.withUnsafeBufferPointer { light in
            let l = unsafe light[Int(index.x.bitPattern & 0x1FFF)]
            let m = unsafe light[Int(index.y.bitPattern & 0x1FFF)]
            let s = unsafe light[Int(index.z.bitPattern & 0x1FFF)]
            return rgb * (SIMD3(l.x, m.x, s.x) + rest * SIMD3(l.y, m.y, s.y))
        }
    }
}
