/// How Dolby Vision reshapes one component: by pieces, each a polynomial of the sample or of all three samples
/// (multivariate multiple regression, MMR).
///
/// A piece is a sum of 22 weighted terms: 1; the three samples and the products of two and of all three; their squares; their
/// cubes. A polynomial of the component's own sample is one with most weights at 0.
struct ReshapingCurve: Sendable, Hashable {
    /// The terms with their powers, or the weights of them, in the order of the metadata: s0, s1, s2, s0s1, s0s2, s1s2,
    /// s0s1s2, and 1 in the last place of the first power.
    struct Terms: Sendable, Hashable {
        var first: SIMD8<Float> = .zero
        var second: SIMD8<Float> = .zero
        var third: SIMD8<Float> = .zero

        init() {}

        @inline(__always)
        init(of sample: SIMD3<Float>) {
            let pair = sample.x * sample.y
            first = [
                sample.x, sample.y, sample.z, pair, sample.x * sample.z, sample.y * sample.z, pair * sample.z, 1,
            ]
            second = first * first
            third = second * first
        }

        @inline(__always)
        static func * (left: Terms, right: Terms) -> Float {
            (left.first * right.first + left.second * right.second + left.third * right.third).sum()
        }
    }

    /// The largest weight: real ones are below 100, and sums of those that are below this stay finite.
    static let largestWeight: Float = 1e6

    /// Where pieces begin and the last one ends, 0 to 1.
    private let pivots: [Float]
    private let pieces: [Terms]

    /// - Returns: `nil` unless there is a piece between any two pivots, and those rise.
    init?(pivots: [Float], pieces: [Terms]) {
        guard !pieces.isEmpty, pivots.count == pieces.count + 1, zip(pivots, pivots.dropFirst()).allSatisfy(<) else {
            return nil
        }
        (self.pivots, self.pieces) = (pivots, pieces)
    }

    /// - Parameters:
    ///   - sample: Of this component, 0 to 1.
    ///   - terms: Of all three samples.
    /// - Returns: 0 to 1.
    @inline(__always)
    func callAsFunction(_ sample: Float, _ terms: Terms) -> Float {
        var piece = 0
        while piece + 1 < pieces.count, sample >= pivots[piece + 1] { piece += 1 }
        let value = pieces[piece] * terms
        return value > 0 ? value < 1 ? value : 1 : 0
    }
}
