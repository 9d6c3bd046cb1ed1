/// The shape of a sample: its width over its height, in lowest terms.
package struct AspectRatio: Sendable, Hashable {
    package let numerator: Int
    package let denominator: Int

    package static let square = AspectRatio(trusted: 1, 1)

    /// - Returns: `nil` when a number is not positive or the shape is absurd (beyond 100:1 either way, or in more than 31
    ///   bits): nobody means that.
    package init?(_ numerator: Int, over denominator: Int) {
        guard numerator > 0, denominator > 0, numerator / denominator < 100, denominator / numerator < 100 else {
            return nil
        }
        // Euclid's.
        var (divisor, rest) = (numerator, denominator)
        while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
        let (top, bottom) = (numerator / divisor, denominator / divisor)
        guard max(top, bottom) <= Int(Int32.max) else { return nil }
        self.init(trusted: top, bottom)
    }

    private init(trusted numerator: Int, _ denominator: Int) {
        self.numerator = numerator
        self.denominator = denominator
    }
}
