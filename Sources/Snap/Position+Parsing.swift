public import SnapBase

extension Position {
    /// Reads a position as it is typed after `--at`.
    ///
    /// | form | means |
    /// |---|---|
    /// | `1`, `1.5`, `90s`, `1m30s`, `250ms`, `00:01:30.250`, `1000/60` | from the start; a bare number is seconds |
    /// | `50%` | of the video stream's own length |
    /// | `start`, `end`, `end-1.5s` | first frame, last frame, before the end |
    /// | `frame:120` | the 121st frame in presentation order |
    /// | `auto` | a representative frame |
    /// | `live`, `live-10s` | the newest frame of a live stream; so long behind it |
    /// | `2026-11-20T18:00:00Z` | a time of day, in streams with dates |
    ///
    /// - Throws: ``SnapError`` with code `usage` and a sentence that names what is wrong.
    public init(_ text: some StringProtocol) throws(SnapError) {
        let text = String(text.trimmingSpaces())
        switch text.lowercased() {
        case "": throw SnapError(.usage, "a time is missing (write a number of seconds, 50%, end, frame:120 or auto)")
        case "start": self = .start
        case "end": self = .end
        case "auto": self = .representative
        case "live": self = .live(behind: .zero)
        default: self = try Self.other(text)
        }
    }

    private static func other(_ text: String) throws(SnapError) -> Position {
        if let rest = text.dropping(prefix: "end-") {
            if rest.isEmpty { throw SnapError(.usage, "'\(text)' lacks how long before the end: write end-1.5s") }
            return .beforeEnd(try MediaTime(parsing: rest))
        }
        if let rest = text.dropping(prefix: "frame:") {
            guard rest.allSatisfy(\.isASCIIDigit), let number = Int(rest) else {
                throw SnapError(.usage, "'\(text)' is not a frame: write frame: and a whole number, counted from 0")
            }
            return .frame(number)
        }
        if text.hasSuffix("%") {
            guard let part = Decimal(text.dropLast()), part.isWithin(0...100) else {
                throw SnapError(.usage, "'\(text)' is not a percentage from 0% to 100%")
            }
            return .fraction(part.numerator, of: part.denominator * 100)
        }
        if let rest = text.dropping(prefix: "live-") {
            if rest.isEmpty {
                throw SnapError(.usage, "'\(text)' lacks how long behind the newest frame: write live-10s")
            }
            return .live(behind: try MediaTime(parsing: rest))
        }
        if text.count >= 10, text.dropFirst(4).first == "-" {
            guard let date = WallClock(text) else {
                throw SnapError(.usage, "'\(text)' is not a time of day: write it as 2026-11-20T18:00:00Z")
            }
            return .date(date)
        }
        return .time(try MediaTime(parsing: text))
    }
}

extension MediaTime {
    /// Reads a time as it is typed: `1`, `1.5`, `90s`, `1m30s`, `250ms`, `1h`, `00:01:30.250`, `1000/60`.
    ///
    /// Exact to 18 digits, of which 16 may be decimals: as many as programs print of a number. What is finer is rounded.
    ///
    /// - Throws: ``SnapError`` with code `usage`.
    public init(parsing text: some StringProtocol) throws(SnapError) {
        let text = String(text)
        guard let time = Self.fraction(text) ?? Self.clock(text) ?? Self.units(text) else {
            throw SnapError(
                .usage,
                "'\(text)' is not a time: write seconds (1.5), units (1m30s, 250ms), a clock (00:01:30.250) or a fraction (1000/60)"
            )
        }
        self = time
    }

    private static func fraction(_ text: String) -> MediaTime? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let top = Decimal(parts[0]), let bottom = Decimal(parts[1]), bottom.numerator > 0 else {
            return nil
        }
        return top.time.scaled(by: bottom.denominator, over: bottom.numerator)
    }

    /// `[hours:]minutes:seconds`
    private static func clock(_ text: String) -> MediaTime? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let seconds = Decimal(parts[parts.count - 1]), seconds.isBelow(60) else {
            return nil
        }
        var total = seconds.time
        for (part, unit) in zip(parts.dropLast().reversed(), [60, 3600] as [Int64]) {
            guard part.allSatisfy(\.isASCIIDigit), let value = Int64(part), value < 10_000_000 else { return nil }
            if unit == 60, parts.count == 3, value >= 60 { return nil }
            total = total + MediaTime(seconds: value * unit)
        }
        return total
    }

    /// A bare number, or numbers with units in falling order.
    private static func units(_ text: String) -> MediaTime? {
        if let bare = Decimal(text) { return bare.time }
        let known: [(name: String, numerator: Int64, denominator: Int64)] = [
            ("h", 3600, 1), ("m", 60, 1), ("s", 1, 1), ("ms", 1, 1000), ("us", 1, 1_000_000),
        ]
        var (rest, total, from) = (Substring(text), MediaTime.zero, 0)
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCIIDigit || $0 == "." }
            let name = rest.dropFirst(number.count).prefix { $0.isLetter }
            guard let value = Decimal(number), let unit = known[from...].firstIndex(where: { $0.name == name }) else {
                return nil
            }
            total = total + value.time.scaled(by: known[unit].numerator, over: known[unit].denominator)
            rest = rest.dropFirst(number.count + name.count)
            from = unit + 1
        }
        return text.isEmpty ? nil : total
    }
}

/// A decimal number without sign, held as a fraction of a power of ten.
///
/// It has as many places as fit, up to 16, and is rounded to nearest there: programs print the number next to 31/30 as
/// `1.0333333333333334`, and fewer places would lead to the frame before the one that begins then.
struct Decimal {
    let numerator: Int64
    let denominator: Int64

    /// 100 of them make a fraction that still fits.
    private static let finest: Int64 = 10_000_000_000_000_000
    /// As a `Double` at its smallest is written without an exponent.
    private static let mostPlaces = 400

    /// - Returns: `nil` unless the text is digits with at most one point, at most 12 before it and 400 behind.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }) else { return nil }
        let places = parts.count == 2 ? Array(parts[1].utf8) : []
        guard !parts[0].isEmpty || !places.isEmpty, parts[0].count <= 12, places.count <= Self.mostPlaces else {
            return nil
        }
        var (value, scale) = (Int64(parts[0]) ?? 0, Int64(1))
        for place in places {
            let digit = Int64(place - UInt8(ascii: "0"))
            guard scale < Self.finest, value < Int64.max / 10 else {
                if digit >= 5 { value += 1 }
                break
            }
            (value, scale) = (value * 10 + digit, scale * 10)
        }
        (numerator, denominator) = (value, scale)
    }

    var time: MediaTime { MediaTime(seconds: numerator).scaled(by: 1, over: denominator) }

    func isWithin(_ range: ClosedRange<Int64>) -> Bool {
        time >= MediaTime(seconds: range.lowerBound) && time <= MediaTime(seconds: range.upperBound)
    }

    func isBelow(_ limit: Int64) -> Bool { time < MediaTime(seconds: limit) }
}

extension Character {
    var isASCIIDigit: Bool { isASCII && isNumber }
}

extension StringProtocol {
    func trimmingSpaces() -> SubSequence {
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? start
        return self[start..<end]
    }

    func dropping(prefix: String) -> SubSequence? { lowercased().hasPrefix(prefix) ? dropFirst(prefix.count) : nil }
}
