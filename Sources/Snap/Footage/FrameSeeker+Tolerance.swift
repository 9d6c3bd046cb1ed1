import SnapBase
import SnapMedia

extension FrameSeeker {
    /// The key frame nearest to a time, as far away as a tolerance allows.
    ///
    /// - Parameter tick: In ticks of the stream.
    /// - Returns: `nil` where there is none so near, and always where the tolerance is none.
    func keyFrame(near tick: Int64, within tolerance: Tolerance) throws(MediaError) -> FoundFrame? {
        if tolerance.isExact { return nil }
        let base = timeBase
        let earliest = tolerance.before.map { tick - Ticks.clamped(base.ticks(notAfter: $0)) }
        let latest = tick + Ticks.clamped(base.ticks(notAfter: tolerance.after))
        return try keyFrame(near: tick, earliest: earliest, latest: latest)
    }
}
