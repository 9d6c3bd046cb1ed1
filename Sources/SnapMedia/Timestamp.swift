import CFFmpeg

/// Timestamps as files give them: any 64 bits.
package enum Timestamp {
    /// The largest that is believed, in ticks: 36 years in nanoseconds. Sums of a few of them don't overflow.
    static let limit: Int64 = 1 << 60

    /// - Returns: `nil` for FFmpeg's mark of an unknown one, and for one that no video has.
    static func known(_ ticks: Int64) -> Int64? { (-limit...limit).contains(ticks) ? ticks : nil }

    /// - Returns: `nil` unless it is 1 or more.
    static func knownDuration(_ ticks: Int64) -> Int64? { (1...limit).contains(ticks) ? ticks : nil }

    /// The nearest that is believed.
    package static func clamped(_ ticks: Int64) -> Int64 { min(max(ticks, -limit), limit) }
}
