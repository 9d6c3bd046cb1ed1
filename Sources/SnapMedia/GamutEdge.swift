/// Where sRGB ends on the lines along which ``GamutMap`` moves colours: near enough to begin the search there.
struct GamutEdge: Sendable {
    /// An edge on a line from grey.
    struct Place {
        /// From grey, in steps of intensity and of both opponents, added.
        var distance: Float
        /// How fast the excess (``GamutMap/excess(_:)``) grows there.
        var slope: Float

        static let zero = Place(distance: 0, slope: 0)
    }

    /// Distances and slopes: by hue, and for each by the part of the way from black to the cusp, and from there to white.
    private let places: [SIMD2<Float>]

    // Computed, so that inner loops have numbers and need not ask whether they have been made yet.
    private static var hues: Int { 128 }
    private static var parts: Int { 32 }

    /// - Parameter cusp: The intensity of the most colourful colour of a hue, 0 to 4.
    init(_ cones: ConeSignals, cusp: (Float) -> Float) {
        places = (0...Self.hues).flatMap { index in
            let hue = Float(index) / Float(Self.hues / 4)
            // Each line's edge is near that of the line before.
            var distance: Float = 0
            return (0...Self.parts).map { step in
                let place = Self.place(
                    cones, hue: hue, cusp: cusp(hue), part: Float(step) / Float(Self.parts / 2), near: distance)
                distance = place.distance
                return SIMD2(place.distance, place.slope)
            }
        }
    }

    /// - Parameters:
    ///   - hue: 0 to 4, as the opponents' signs and shares make it.
    ///   - part: 0 to 1: of the way from black to the cusp, on a line of one intensity. 1 to 2: from there to white, the share
    ///     of intensity in a line from the cusp's grey.
    @inline(__always)
    func callAsFunction(hue: Float, part: Float) -> Place {
        let (x, y) = (part * Float(Self.parts / 2), hue * Float(Self.hues / 4))
        let column = min(max(Int(x), 0), Self.parts - 1)
        let row = min(max(Int(y), 0), Self.hues - 1)
        let (right, down) = (x - Float(column), y - Float(row))
        let start = row * (Self.parts + 1) + column
        let next = start + Self.parts + 1
        return unsafe places.withUnsafeBufferPointer { places in
            let above = unsafe places[start] + (places[start + 1] - places[start]) * right
            let below = unsafe places[next] + (places[next + 1] - places[next]) * right
            let mixture = above + (below - above) * down
            return Place(distance: mixture.x, slope: mixture.y)
        }
    }

    /// The edge on a line of its own: the outermost near a distance.
    private static func place(
        _ cones: ConeSignals, hue: Float, cusp: Float, part: Float, near distance: Float
    ) -> Place {
        let tritan = hue < 2 ? 1 - hue : hue - 3
        let protan = hue < 1 ? hue : hue < 3 ? 2 - hue : hue - 4
        let rise = max(part - 1, 0)
        let grey = SIMD3<Float>(repeating: cusp * min(part, 1))
        let way = cones.ofOpponents([rise, tritan * (1 - rise), protan * (1 - rise)])
        let excess = { (distance: Float) in GamutMap.excess(cones.light(of: grey + way * distance)) }
        let step: Float = 0.02
        var outside = distance + 2 * step
        while outside < 1, excess(outside) < 0 { outside += step }
        var inside = max(outside - step, 0)
        while inside > 0, excess(inside) > 0 { (inside, outside) = (max(inside - step, 0), inside) }
        for _ in 0..<5 {
            let middle = (inside + outside) / 2
            if excess(middle) > 0 { outside = middle } else { inside = middle }
        }
        // What remains is made even by the slope.
        let (low, high) = (excess(inside), excess(outside))
        guard low < 0, high > 0, outside > inside else { return Place(distance: inside, slope: 0) }
        let slope = (high - low) / (outside - inside)
        return Place(distance: inside - low / slope, slope: slope)
    }
}
