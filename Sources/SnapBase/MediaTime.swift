/// An exact time: a rational number of seconds.
///
/// Container formats count time in ticks of a time base such as 1/90000 or 1001/30000 s, which no decimal number holds.
/// `MediaTime` keeps the fraction, in lowest terms, so that "the frame on screen at t" has one answer.
public struct MediaTime: Sendable, Hashable {
    /// Seconds times ``denominator``. Negative before zero.
    public let numerator: Int64
    /// Parts of a second, 1 or more.
    public let denominator: Int64

    public static let zero = MediaTime(seconds: 0)

    /// - Parameter seconds: A whole number of seconds.
    public init(seconds: Int64) {
        numerator = max(seconds, -Int64.max)
        denominator = 1
    }

    /// - Parameters:
    ///   - numerator: Any value.
    ///   - denominator: Any value but 0.
    /// - Returns: `nil` when the denominator is 0.
    public init?(_ numerator: Int64, over denominator: Int64) {
        guard denominator != 0 else { return nil }
        self.init(reducing: Int128(numerator), over: Int128(denominator))
    }

    /// A time that a stream counts in ticks.
    ///
    /// - Parameters:
    ///   - ticks: In units of the time base.
    ///   - timeBase: The length of a tick.
    public init(ticks: Int64, timeBase: TimeBase) {
        self.init(reducing: Int128(ticks) * Int128(timeBase.numerator), over: Int128(timeBase.denominator))
    }

    /// - Parameter duration: Held exactly down to a nanosecond; what is finer is cut off.
    public init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(
            reducing: Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000), over: 1_000_000_000)
    }

    /// Reduces a fraction to lowest terms.
    ///
    /// A hostile file can name times whose exact sum does not fit in 64 bits; those lose their lowest bits
    /// instead of ending the process.
    init(reducing numerator: Int128, over denominator: Int128) {
        var (n, d) = denominator < 0 ? (-numerator, -denominator) : (numerator, denominator)
        let divisor = Self.greatestCommonDivisor(n.magnitude, d.magnitude)
        if divisor > 1 {
            n /= Int128(divisor)
            d /= Int128(divisor)
        }
        while d > Int128(Int64.max) || n.magnitude > UInt128(Int64.max) {
            if d == 1 {
                n = n < 0 ? -Int128(Int64.max) : Int128(Int64.max)
                break
            }
            n >>= 1
            d = max(d >> 1, 1)
        }
        self.numerator = Int64(n)
        self.denominator = Int64(d)
    }

    private static func greatestCommonDivisor(_ a: UInt128, _ b: UInt128) -> UInt128 {
        var (a, b) = (a, b)
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }
}

extension MediaTime: Comparable {
    public static func < (left: MediaTime, right: MediaTime) -> Bool {
        Int128(left.numerator) * Int128(right.denominator) < Int128(right.numerator) * Int128(left.denominator)
    }

    public static func + (left: MediaTime, right: MediaTime) -> MediaTime {
        let n = Int128(left.numerator) * Int128(right.denominator) + Int128(right.numerator) * Int128(left.denominator)
        return MediaTime(reducing: n, over: Int128(left.denominator) * Int128(right.denominator))
    }

    public static func - (left: MediaTime, right: MediaTime) -> MediaTime { left + -right }

    public static prefix func - (time: MediaTime) -> MediaTime {
        MediaTime(reducing: -Int128(time.numerator), over: Int128(time.denominator))
    }

    /// This time multiplied by a fraction, exactly.
    ///
    /// - Parameters:
    ///   - numerator: For 50 %, 50.
    ///   - denominator: For 50 %, 100. Must not be 0.
    public func scaled(by numerator: Int64, over denominator: Int64) -> MediaTime {
        precondition(denominator != 0, "a time cannot be divided by zero")
        let first = MediaTime(reducing: Int128(self.numerator), over: Int128(denominator))
        return MediaTime(
            reducing: Int128(first.numerator) * Int128(numerator),
            over: Int128(first.denominator) * Int128(self.denominator))
    }

    public var magnitude: MediaTime { self < .zero ? -self : self }
}

extension MediaTime {
    /// For display and for lengths of waiting, never for finding a frame.
    public var approximateSeconds: Double { Double(numerator) / Double(denominator) }

    /// Seconds as a decimal number with at most six places, rounded to nearest, without trailing zeros: `1.033333`.
    public var decimalSeconds: String { decimal(places: 6, trimmed: true) }

    /// Hours, minutes, seconds and milliseconds, cut off (not rounded), as in file names: `00-00-01.000`.
    public var fileNameText: String { clockText(separator: "-") }

    /// The same for people: `00:00:01.000`.
    public var clockText: String { clockText(separator: ":") }

    /// Whole seconds, cut off towards the past.
    public var wholeSeconds: Int64 {
        let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// Whole milliseconds, cut off towards the past.
    public var milliseconds: Int64 {
        let (quotient, remainder) = (Int128(numerator) * 1000).quotientAndRemainder(dividingBy: Int128(denominator))
        return Int64(clamping: remainder < 0 ? quotient - 1 : quotient)
    }

    private func clockText(separator: String) -> String {
        let total = milliseconds
        let value = total.magnitude
        func padded(_ number: UInt64, _ width: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        let clock = [padded(value / 3_600_000, 2), padded(value / 60_000 % 60, 2), padded(value / 1000 % 60, 2)]
        return (total < 0 ? "-" : "") + clock.joined(separator: separator) + "." + padded(value % 1000, 3)
    }

    private func decimal(places: Int, trimmed: Bool) -> String {
        var scale: Int128 = 1
        for _ in 0..<places { scale *= 10 }
        let doubled = Int128(numerator.magnitude) * scale * 2 + Int128(denominator)
        let rounded = doubled / (Int128(denominator) * 2)
        let digits = String(rounded % scale)
        var fraction = String(repeating: "0", count: places - digits.count) + digits
        if trimmed { while fraction.last == "0" { fraction.removeLast() } }
        let sign = numerator < 0 && rounded != 0 ? "-" : ""
        return sign + String(rounded / scale) + (fraction.isEmpty ? "" : "." + fraction)
    }
}

extension MediaTime: CustomStringConvertible {
    public var description: String { decimalSeconds + " s" }
}
