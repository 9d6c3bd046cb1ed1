/// A time of day on a date: seconds since the start of 1970 in UTC, exact.
public struct WallClock: Sendable, Hashable, Comparable {
    public let sinceEpoch: MediaTime
    /// Whether the text that it was read from named a zone; without one, UTC is assumed.
    public let hasZone: Bool

    public init(sinceEpoch: MediaTime, hasZone: Bool = true) {
        self.sinceEpoch = sinceEpoch
        self.hasZone = hasZone
    }

    /// Reads a date and time as RFC 3339 writes them, `2026-11-20T18:00:00.250Z`, and the forms of ISO 8601 that
    /// playlists in the wild have: `+0100`, `+01`, no zone, no seconds.
    public init?(_ text: some StringProtocol) {
        var scanner = Scanner(text: Array(text.utf8)[...])
        guard let year = scanner.number(digits: 4), scanner.skip("-"), let month = scanner.number(digits: 2),
            scanner.skip("-"), let day = scanner.number(digits: 2), scanner.skip("T") || scanner.skip(" "),
            let hour = scanner.number(digits: 2), scanner.skip(":"), let minute = scanner.number(digits: 2)
        else { return nil }
        var (second, fraction) = (0, MediaTime.zero)
        if scanner.skip(":") {
            guard let whole = scanner.number(digits: 2) else { return nil }
            second = whole
            if scanner.skip(".") || scanner.skip(",") {
                guard let part = scanner.fraction() else { return nil }
                fraction = part
            }
        }
        guard let zone = scanner.zone(), scanner.text.isEmpty,
            (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day),
            hour < 24 || hour == 24 && minute == 0 && second == 0, minute < 60, second <= 60
        else { return nil }
        let days = Self.daysSinceEpoch(year, month, day)
        let seconds = Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
        sinceEpoch = MediaTime(seconds: seconds - Int64(zone.minutesEast ?? 0) * 60) + fraction
        hasZone = zone.minutesEast != nil
    }

    public static func < (left: WallClock, right: WallClock) -> Bool { left.sinceEpoch < right.sinceEpoch }
    public static func == (left: WallClock, right: WallClock) -> Bool { left.sinceEpoch == right.sinceEpoch }
    public func hash(into hasher: inout Hasher) { hasher.combine(sinceEpoch) }

    public static func + (date: WallClock, time: MediaTime) -> WallClock {
        WallClock(sinceEpoch: date.sinceEpoch + time, hasZone: date.hasZone)
    }

    public static func - (left: WallClock, right: WallClock) -> MediaTime { left.sinceEpoch - right.sinceEpoch }
}

extension WallClock: CustomStringConvertible {
    /// In UTC, with milliseconds: `2026-11-20T18:00:00.250Z`.
    public var description: String {
        let digits = digits
        return digits.date.joined(separator: "-") + "T" + digits.time.joined(separator: ":") + "."
            + digits.milliseconds + "Z"
    }
}

extension WallClock {
    /// In UTC: year, month and day; hours, minutes and seconds; what is finer, cut off.
    package var digits: (date: [String], time: [String], milliseconds: String) {
        let total = sinceEpoch.milliseconds
        let (days, rest) = (total.flooredDivision(by: 86_400_000), total.flooredRemainder(by: 86_400_000))
        let (year, month, day) = Self.date(daysSinceEpoch: Int(days))
        func padded(_ number: Int64, _ width: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return (
            [padded(Int64(year), 4), padded(Int64(month), 2), padded(Int64(day), 2)],
            [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { padded($0, 2) }, padded(rest % 1000, 3)
        )
    }
}

/// The Gregorian calendar, without a table of years: Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms".
extension WallClock {
    private static func days(in month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    private static func daysSinceEpoch(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func date(daysSinceEpoch: Int) -> (year: Int, month: Int, day: Int) {
        let z = daysSinceEpoch + 719_468
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}

/// Takes a text apart from its front.
private struct Scanner {
    var text: ArraySlice<UInt8>

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let first = text.first else { return false }
        let isSame = UInt32(first) == character.value
        let isLowerCase = character.properties.isUppercase && UInt32(first) == character.value + 32
        guard isSame || isLowerCase else { return false }
        text = text.dropFirst()
        return true
    }

    mutating func number(digits: Int) -> Int? {
        guard text.count >= digits, text.prefix(digits).allSatisfy(Self.isDigit) else { return nil }
        defer { text = text.dropFirst(digits) }
        return text.prefix(digits).reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    /// Digits behind a point; what is finer than a nanosecond is cut off.
    mutating func fraction() -> MediaTime? {
        let digits = text.prefix(while: Self.isDigit)
        guard !digits.isEmpty else { return nil }
        text = text.dropFirst(digits.count)
        let kept = digits.prefix(9)
        let value = kept.reduce(Int64(0)) { $0 * 10 + Int64($1 - 48) }
        return MediaTime(value, over: (0..<kept.count).reduce(1) { scale, _ in scale * 10 })
    }

    /// `Z`, `+01:00`, `+0100`, `+01`, or nothing; `nil` for anything else.
    mutating func zone() -> (minutesEast: Int?, Void)? {
        if text.isEmpty { return (nil, ()) }
        if skip("Z") { return (0, ()) }
        let isEast = skip("+")
        guard isEast || skip("-"), let hours = number(digits: 2), hours < 24 else { return nil }
        _ = skip(":")
        guard let minutes = text.isEmpty ? 0 : number(digits: 2), minutes < 60 else { return nil }
        return ((isEast ? 1 : -1) * (hours * 60 + minutes), ())
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}

extension Int64 {
    fileprivate func flooredDivision(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    fileprivate func flooredRemainder(by divisor: Int64) -> Int64 {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
