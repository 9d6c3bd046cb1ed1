public import SnapBase

/// What the playlists of an HLS stream say.
public struct StreamInfo: Sendable, Hashable {
    /// `MPEG-TS` or `fMP4`.
    public var segmentFormat: String
    public var segments: Int
    /// The longest that a segment may be.
    public var targetDuration: MediaTime
    /// Whether more may come.
    public var isLive: Bool
    /// Whether segments are encrypted.
    public var isEncrypted: Bool
    /// When the first and the last segment begin; `nil` without dates.
    public var dates: ClosedRange<WallClock>?
    /// Those of the multivariant playlist; empty without one.
    public var variants: [StreamFrameFacts.VariantFacts] = []
}

extension StreamInfo {
    var jsonValue: JSONValue {
        .object([
            ("segmentFormat", .string(segmentFormat)),
            ("segments", JSONValue(segments)),
            ("targetDuration", .string(targetDuration.decimalSeconds)),
            ("live", .bool(isLive)),
            ("encrypted", .bool(isEncrypted)),
            ("from", JSONValue(dates?.lowerBound.description)),
            ("to", JSONValue(dates?.upperBound.description)),
            ("variants", .array(variants.map(\.jsonValue))),
        ])
    }

    /// In a line, for people.
    var sentence: String {
        var parts = ["\(isLive ? "live" : "recorded"), \(segments) segments of \(segmentFormat)"]
        if isEncrypted { parts.append("encrypted with a key that is given") }
        if let dates { parts.append("from \(dates.lowerBound) to \(dates.upperBound)") }
        return parts.joined(separator: ", ")
    }
}
