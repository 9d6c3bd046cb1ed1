public import SnapBase

/// Which part of an HLS stream a frame is from.
public struct StreamFrameFacts: Sendable, Hashable {
    /// The variant that was taken; `nil` for a stream without variants.
    public var variant: VariantFacts?
    /// The media sequence number of the segment.
    public var segment: UInt64
    /// When the frame was taken, by the playlist's EXT-X-PROGRAM-DATE-TIME; `nil` without one.
    public var programDate: WallClock?
    /// How old the frame is by this machine's clock; `nil` without a date, and for recordings.
    public var age: MediaTime?
    /// Whether the playlist may still grow.
    public var isLive: Bool
    /// How often the stream began anew before.
    package var restarts = 0

    /// A variant of a stream, as its multivariant playlist describes it.
    public struct VariantFacts: Sendable, Hashable {
        /// In pixels; `nil` where not said.
        public var width: Int?
        public var height: Int?
        /// At most, in bits a second.
        public var bandwidth: Int64?
        /// In the notation of RFC 6381.
        public var codecs: [String]
    }
}

extension StreamFrameFacts {
    var jsonValue: JSONValue {
        .object([
            ("variant", variant?.jsonValue ?? .null),
            ("segment", .integer(Int64(clamping: segment))),
            ("programDate", JSONValue(programDate?.description)),
            ("age", JSONValue(age?.decimalSeconds)),
            ("live", .bool(isLive)),
        ])
    }
}

extension StreamFrameFacts.VariantFacts {
    var jsonValue: JSONValue {
        .object([
            ("width", JSONValue(width)),
            ("height", JSONValue(height)),
            ("bandwidth", bandwidth.map { .integer($0) } ?? .null),
            ("codecs", .array(codecs.map { .string($0) })),
        ])
    }
}
