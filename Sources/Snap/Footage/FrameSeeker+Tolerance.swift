import SnapBase
import SnapMedia

extension FrameSeeker {
    /// The key frame nearest to a time, as far away as a tolerance allows.
    ///
    /// - Parameters:
    ///   - tick: In ticks of the stream.
    ///   - range: What of the stream is shown; `nil` for all.
    /// - Returns: `nil` where there is none so near, and always where the tolerance is none.
    func keyFrame(near tick: Int64, within tolerance: Tolerance, in range: ClosedRange<Int64>? = nil)
        throws(MediaError) -> FoundFrame?
    {
        if tolerance.isExact { return nil }
        let base = timeBase
        let earliest = tolerance.before.map { tick - Ticks.clamped(base.ticks(notAfter: $0)) }
        let latest = tick + Ticks.clamped(base.ticks(notAfter: tolerance.after))
        guard let range else { return try keyFrame(near: tick, earliest: earliest, latest: latest) }
        return try keyFrame(
            near: tick, earliest: max(earliest ?? range.lowerBound, range.lowerBound),
            latest: min(latest, range.upperBound))
    }
}
