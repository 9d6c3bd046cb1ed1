/// The length of a tick, in seconds: the unit that a stream counts its timestamps in, such as 1/90000.
public struct TimeBase: Sendable, Hashable {
    /// 1 or more.
    public let numerator: Int32
    /// 1 or more.
    public let denominator: Int32

    /// - Returns: `nil` unless both are positive.
    public init?(_ numerator: Int32, over denominator: Int32) {
        guard numerator > 0, denominator > 0 else { return nil }
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The last tick that is not after a time. Saturates at the ends of `Int64`.
    public func ticks(notAfter time: MediaTime) -> Int64 {
        let (quotient, remainder) = (Int128(time.numerator) * Int128(denominator))
            .quotientAndRemainder(dividingBy: Int128(time.denominator) * Int128(numerator))
        return Int64(clamping: remainder < 0 ? quotient - 1 : quotient)
    }
}

extension TimeBase: CustomStringConvertible {
    public var description: String { "\(numerator)/\(denominator)" }
}
