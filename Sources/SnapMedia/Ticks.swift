import CFFmpeg

/// Timestamps as they come out of files: counts of a time base, and whatever else a hostile file says.
package enum Ticks {
    /// No stream counts further than this, 2^60 either way: sums and differences of two can't overflow.
    package static let limit: Int64 = 1 << 60

    /// - Returns: `nil` for FFmpeg's "no timestamp", and for what no stream can mean.
    static func plausible(_ timestamp: Int64) -> Int64? { (-limit...limit).contains(timestamp) ? timestamp : nil }

    /// The nearest plausible one.
    package static func clamped(_ timestamp: Int64) -> Int64 { min(max(timestamp, -limit), limit) }
}
