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

    private let cones = ConeSignals()
    /// The intensity of the most colourful colour of sRGB, by hue.
    private let cusps: [Float]
    private let edge: GamutEdge

    // Computed, so that inner loops have numbers and need not ask whether they have been made yet.
    private static var hues: Int { 256 }
    /// Some colours of SDR lie outside by rounding alone.
    static var slack: Float { 0.0005 }

    private init() {
        let cusps = Self.cusps(cones)
        self.cusps = cusps
        edge = GamutEdge(cones) { hue in cusps[Int(hue * Float(Self.hues / 4))] }
    }

    /// The most colourful colours of sRGB are mixtures of two neighbours among red, yellow, green, cyan, blue, magenta.
    private static func cusps(_ cones: ConeSignals) -> [Float] {
        let corners: [SIMD3<Double>] = [[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1]]
        var points: [(hue: Double, intensity: Double)] = []
        for (index, corner) in corners.enumerated() {
            let next = corners[(index + 1) % corners.count]
            for step in 0..<64 {
                let colour = corner + (next - corner) * pow(Double(step) / 64, 2)
                let opponents = cones.opponents(of: cones(SIMD3<Float>(colour)))
                points.append((Double(hue(opponents) * Float(hues / 4)), Double(opponents.x)))
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

    /// Where a hue comes in the circle, 0 ..< 4: grows with the angle, though not evenly.
    @inline(__always)
    private static func hue(_ opponents: SIMD3<Float>) -> Float {
        let (tritan, protan) = (opponents.y, opponents.z)
        let size = abs(tritan) + abs(protan)
        guard size > 0 else { return 0 }
        let part = protan / size
        return tritan < 0 ? 2 - part : protan < 0 ? 4 + part : part
    }

    /// - Parameter colour: Linear light of BT.709's primaries, white being 1, some of it below 0 or above 1.
    /// - Returns: The nearest of its hue that has all of 0 to 1, but for ``slack``.
    func callAsFunction(_ colour: SIMD3<Float>) -> SIMD3<Float> {
        let signals = cones(colour)
        let opponents = cones.opponents(of: signals)
        let hue = Self.hue(opponents)
        let place = hue * Float(Self.hues / 4)
        let index = min(Int(place), Self.hues - 1)
        let cusp = cusps[index] + (cusps[index + 1] - cusps[index]) * (place - Float(index))
        let rise = opponents.x - cusp
        let size = abs(opponents.y) + abs(opponents.z)
        // The cones' signals are equal for grey, and are the intensity. On the way to it they change evenly.
        let grey = SIMD3<Float>(repeating: rise > 0 ? cusp : opponents.x)
        let way = signals - grey
        let length = rise > 0 ? size + rise : size

        var (inside, outside): (Float, Float) = (0, 1)
        var best = cones.light(of: grey)
        var (depth, excess) = (Self.excess(best), Self.excess(colour))
        guard depth < 0, excess > 0 else { return best }
        let known = edge(hue: hue, part: rise > 0 ? 1 + rise / length : opponents.x / cusp)
        var middle = known.distance / length
        var slope = known.slope * length
        // Near blue, lines leave sRGB and come back. A colour that is much less far out than the table has it is near
        // another edge.
        let isKnown = middle > 0 && middle < 1 && slope > 0 && (1 - middle) * slope < 1.5 * excess
        if !isKnown { (middle, slope) = (depth / (depth - excess), 0) }
        for _ in 0..<Self.steps {
            let candidate = cones.light(of: grey + way * middle)
            let rest = Self.excess(candidate)
            if abs(rest) < Self.slack { return candidate }
            // A known edge is corrected once by its slope. Then the method of false position goes on, with the Illinois
            // rule for the end that stays.
            let share: Float = slope > 0 ? 1 : 0.5
            if rest < 0 {
                (inside, best, depth) = (middle, candidate, rest)
                excess *= share
            } else {
                (outside, excess) = (middle, rest)
                depth *= share
            }
            let next = slope > 0 ? middle - rest / slope : 0
            middle = next > inside && next < outside ? next : inside + (outside - inside) * depth / (depth - excess)
            slope = 0
        }
        return best
    }

    private static var steps: Int { 8 }

    /// How far a colour is out of sRGB; below 0, how far inside.
    @inline(__always)
    static func excess(_ colour: SIMD3<Float>) -> Float {
        let (r, g, b) = (colour.x, colour.y, colour.z)
        let low = r < g ? r < b ? r : b : g < b ? g : b
        let high = r > g ? r > b ? r : b : g > b ? g : b
        return -low > high - 1 ? -low : high - 1
    }
}
