/// The shape of a sample: its width over its height.
package struct AspectRatio: Sendable, Hashable {
    package let numerator: Int
    package let denominator: Int

    package static let square = AspectRatio(trusted: 1, 1)

    /// - Returns: `nil` when a number is not positive or the shape is absurd (beyond 100:1 either way): nobody means that.
    package init?(_ numerator: Int, over denominator: Int) {
        guard numerator > 0, denominator > 0, numerator / denominator < 100, denominator / numerator < 100 else {
            return nil
        }
        self.init(trusted: numerator, denominator)
    }

    private init(trusted numerator: Int, _ denominator: Int) {
        self.numerator = numerator
        self.denominator = denominator
    }
}
