#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Brings colours that sRGB does not have to its edge: the hue stays, colourfulness and a little brightness go.
///
/// Intensity, hue and colourfulness are those of ICtCp (Recommendation ITU-R BT.2100, table 7, PQ), where a line from
/// grey outwards keeps its hue. A colour moves on a straight line towards the grey as bright as the most colourful
/// colour of its hue, as far as it must.
struct GamutMap: Sendable {
    /// What all maps are: nothing in it depends on the video.
    static let shared = GamutMap()

    /// PQ from and to light, 1 being ``ToneCurve/white``.
    private let signal = LightTable { TransferFunction.pq.signal(ofLight: $0 * ToneCurve.white / ToneCurve.largest) }
    private let light: [Float]
    /// The intensity of the most colourful colour of sRGB, by hue.
    private let cusps: [Float]

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

    // BT.2100, table 7, by way of BT.2020's primaries.
    private static let toLMS = ColourTransform.lmsOfBT2020 * ColourPrimaries.bt709.conversion(to: .bt2020)
    private let lms = Matrix(Self.toLMS)
    private let rgb = Matrix(Self.toLMS.inverse)
    private let ictcp = Matrix(ColourTransform.ictcpOfPQ)

    // Computed, so that inner loops have numbers and need not ask whether they have been made yet.
    private static var hues: Int { 256 }
    private static var levels: Int { 4096 }
    /// Some colours of SDR lie outside by rounding alone.
    static var slack: Float { 0.0005 }

    private init() {
        light = (0...Self.levels + 1).map { step in
            let nits = TransferFunction.pq.light(ofSignal: Double(step) / Double(Self.levels)) * ToneCurve.largest
            return Float(nits / ToneCurve.white)
        }
        cusps = Self.cusps()
    }

    /// The most colourful colours of sRGB are mixtures of two neighbours among red, yellow, green, cyan, blue, magenta.
    private static func cusps() -> [Float] {
        let corners: [SIMD3<Double>] = [[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1]]
        var points: [(hue: Double, intensity: Double)] = []
        for (index, corner) in corners.enumerated() {
            let next = corners[(index + 1) % corners.count]
            for step in 0..<64 {
                let colour = corner + (next - corner) * pow(Double(step) / 64, 2)
                let cone = toLMS * colour
                let signals = SIMD3<Double>(
                    [cone.x, cone.y, cone.z].map {
                        TransferFunction.pq.signal(ofLight: $0 * ToneCurve.white / ToneCurve.largest)
                    })
                let opponent = ColourTransform.ictcpOfPQ * signals
                points.append((Double(place(Float(opponent.y), Float(opponent.z))), opponent.x))
            }
        }
        points.sort { $0.hue < $1.hue }
        return (0...hues).map { index in
            let hue = Double(index)
            let after = points.first { $0.hue >= hue } ?? points[0]
            let before = points.last { $0.hue < hue } ?? points[points.count - 1]
            let span = (after.hue - before.hue + Double(hues)).truncatingRemainder(dividingBy: Double(hues))
            let part = (hue - before.hue + Double(hues)).truncatingRemainder(dividingBy: Double(hues))
            return Float(before.intensity + (after.intensity - before.intensity) * (span > 0 ? part / span : 0))
        }
    }

    /// Where a hue comes in the circle, 0 ..< ``hues``: grows with the angle, though not evenly.
    @inline(__always)
    private static func place(_ tritan: Float, _ protan: Float) -> Float {
        let size = abs(tritan) + abs(protan)
        guard size > 0 else { return 0 }
        let part = protan / size
        return (tritan < 0 ? 2 - part : protan < 0 ? 4 + part : part) * (Float(hues) / 4)
    }

    /// - Parameter colour: Linear light of BT.709's primaries, white being 1, some of it below 0 or above 1.
    /// - Returns: The nearest of its hue that has all of 0 to 1, but for ``slack``.
    func callAsFunction(_ colour: SIMD3<Float>) -> SIMD3<Float> {
        let signals = pq(lms * colour)
        let opponent = ictcp * signals
        let place = Self.place(opponent.y, opponent.z)
        let index = min(Int(place), Self.hues - 1)
        let cusp = cusps[index] + (cusps[index + 1] - cusps[index]) * (place - Float(index))
        // The cones' signals are equal for grey, and are the intensity. On the way to it they change evenly.
        let grey = SIMD3<Float>(repeating: cusp < opponent.x ? cusp : opponent.x)
        let way = signals - grey
        // The method of false position, with the Illinois rule for the end that stays.
        var (inside, outside): (Float, Float) = (0, 1)
        var best = linear(grey)
        var (depth, excess) = (Self.excess(best), Self.excess(colour))
        guard depth < 0, excess > 0 else { return best }
        for _ in 0..<Self.steps {
            let middle = inside + (outside - inside) * depth / (depth - excess)
            let candidate = linear(grey + way * middle)
            let rest = Self.excess(candidate)
            if rest <= 0 {
                (inside, best) = (middle, candidate)
                if rest > -Self.slack { break }
                depth = rest
                excess /= 2
            } else {
                if rest < Self.slack { return candidate }
                (outside, excess) = (middle, rest)
                depth /= 2
            }
        }
        return best
    }

    private static var steps: Int { 8 }

    /// How far a colour is out of sRGB; below 0, how far inside.
    @inline(__always)
    private static func excess(_ colour: SIMD3<Float>) -> Float {
        let (r, g, b) = (colour.x, colour.y, colour.z)
        let low = r < g ? r < b ? r : b : g < b ? g : b
        let high = r > g ? r > b ? r : b : g > b ? g : b
        return -low > high - 1 ? -low : high - 1
    }

    @inline(__always)
    private func pq(_ cone: SIMD3<Float>) -> SIMD3<Float> {
        signal.withReader { SIMD3($0[cone.x], $0[cone.y], $0[cone.z]) }
    }

    /// BT.709's linear light for PQ signals of cones.
    @inline(__always)
    private func linear(_ signals: SIMD3<Float>) -> SIMD3<Float> {
        unsafe light.withUnsafeBufferPointer { light in
            let value = { (signal: Float) in
                let place = (signal > 0 ? signal < 1 ? signal : 1 : 0) * Float(Self.levels)
                let index = Int32(place)
                return unsafe light[Int(index)]
                    + (light[Int(index) + 1] - light[Int(index)]) * (place - Float(index))
            }
            return rgb * SIMD3(value(signals.x), value(signals.y), value(signals.z))
        }
    }
}
