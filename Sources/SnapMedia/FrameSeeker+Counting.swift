package import SnapBase

extension FrameSeeker {
    /// Decodes a frame by its number in presentation order; the last one where there are fewer.
    ///
    /// - Parameter number: Counted from 0.
    /// - Complexity: Decodes from the start, or from the frame before where that was counted too: numbers are never
    ///   computed from a frame rate.
    package func frame(number: Int, onDamage: DamagePolicy = .nearest) throws(MediaError) -> FoundFrame {
        try whole { () throws(MediaError) in try findFrame(number: number, onDamage) }
    }

    private func findFrame(number: Int, _ onDamage: DamagePolicy) throws(MediaError) -> FoundFrame {
        if stage == .lost || demuxer.isBroken || (shownNumber ?? .max) > number { try restart() }
        while let current = shownNumber, current < number {
            if upcoming.presentation == nil { upcoming = try nextFrame() }
            guard let following = upcoming.take() else { break }
            replaceShown(with: following)
        }
        let isLast = (shownNumber ?? 0) < number
        if let target = shown.presentation, shown.isDamaged {
            var found = try undamaged(target, onDamage)
            found.isClamped = isLast
            return found
        }
        return FoundFrame(frame: try currentFrame(), isClamped: isLast)
    }
}
