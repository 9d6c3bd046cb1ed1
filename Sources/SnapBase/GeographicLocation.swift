/// A place on the earth.
public struct GeographicLocation: Sendable, Hashable {
    /// In degrees, -90 to 90; positive in the north.
    public let latitude: Double
    /// In degrees, -180 to 180; positive in the east.
    public let longitude: Double
    /// In metres above sea level, nearer than 1,000 km; `nil` where not known.
    public let altitude: Double?

    /// - Returns: `nil` for what lies outside of these limits.
    public init?(latitude: Double, longitude: Double, altitude: Double? = nil) {
        guard abs(latitude) <= 90, abs(longitude) <= 180, abs(altitude ?? 0) < 1_000_000 else { return nil }
        (self.latitude, self.longitude, self.altitude) = (latitude, longitude, altitude)
    }
}

extension GeographicLocation {
    /// Reads a place as ISO 6709 writes it (annex H): `+37.3318-122.0312+007.000/`, in degrees, in degrees and minutes, or
    /// with seconds too; with a height or without. What follows the slash is left aside: some write the name of the place.
    package init?(iso6709 text: some StringProtocol) {
        var rest = Array(text.utf8.prefix { $0 != UInt8(ascii: "/") })[...]
        guard let latitude = Self.angle(&rest, digits: 2), let longitude = Self.angle(&rest, digits: 3) else {
            return nil
        }
        rest = rest.drop { $0 == UInt8(ascii: " ") }
        // A reference system may follow, such as CRSWGS_84: it is always that one.
        let height = Self.number(&rest).map { $0.isNegative ? -$0.value : $0.value }
        self.init(latitude: latitude, longitude: longitude, altitude: height)
    }

    /// - Parameter digits: Of degrees, before which there is always a sign; two more are minutes, and two more seconds.
    private static func angle(_ rest: inout ArraySlice<UInt8>, digits: Int) -> Double? {
        guard let (value, count, isNegative) = number(&rest) else { return nil }
        let degrees: Double
        switch count - digits {
        case 0: degrees = value
        case 2:
            let minutes = value.truncatingRemainder(dividingBy: 100)
            guard minutes < 60 else { return nil }
            degrees = (value - minutes) / 100 + minutes / 60
        case 4:
            let (seconds, rest) = (value.truncatingRemainder(dividingBy: 100), (value / 100).rounded(.down))
            let minutes = rest.truncatingRemainder(dividingBy: 100)
            guard seconds < 60, minutes < 60 else { return nil }
            degrees = (rest - minutes) / 100 + minutes / 60 + seconds / 3600
        default: return nil
        }
        return isNegative ? -degrees : degrees
    }

    /// A sign, 1 to 7 digits, and a fraction of up to 12.
    private static func number(
        _ rest: inout ArraySlice<UInt8>
    ) -> (value: Double, digits: Int, isNegative: Bool)? {
        guard let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        let whole = rest.dropFirst().prefix { 48...57 ~= $0 }
        guard 1...7 ~= whole.count else { return nil }
        var end = whole.endIndex
        if end < rest.endIndex, rest[end] == UInt8(ascii: ".") {
            let fraction = rest[(end + 1)...].prefix { 48...57 ~= $0 }
            guard fraction.count <= 12 else { return nil }
            end = fraction.endIndex
        }
        guard let value = Double(String(decoding: rest[whole.startIndex..<end], as: UTF8.self)) else { return nil }
        rest = rest[end...]
        return (value, whole.count, sign == UInt8(ascii: "-"))
    }
}
