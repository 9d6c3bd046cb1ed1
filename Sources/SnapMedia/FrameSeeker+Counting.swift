package import SnapBase

extension FrameSeeker {
    /// Decodes a frame by its number in presentation order; the last one where there are fewer.
    ///
    /// - Parameter number: Counted from 0.
    /// - Complexity: Decodes from the start, or from the frame before where that was counted too, or from a key frame
    ///   that an earlier visit counted: numbers are never computed from a frame rate.
    package func frame(number: Int, onDamage: DamagePolicy = .nearest) throws(MediaError) -> FoundFrame {
        try whole { () throws(MediaError) in try findFrame(number: number, onDamage) }
    }

    /// How many frames there are up to the one that is shown; 0 where they were not counted.
    package var countedFrames: Int { shownNumber.map { $0 + 1 } ?? 0 }

    private func findFrame(number: Int, _ onDamage: DamagePolicy) throws(MediaError) -> FoundFrame {
        let isBehind = shownNumber.map { $0 > number } ?? true
        let isLost = stage == .lost || demuxer.isBroken || isBehind
        if let key = indexer?.index?.key(notAfterNumber: Int64(number)),
            key.number ?? 0 > Int64(isLost ? 0 : shownNumber ?? 0)
        {
            if try !start(atCounted: key) { try restart() }
        } else if isLost {
            try restart()
        }
        while let current = shownNumber, current < number {
            if upcoming.presentation == nil { upcoming = try nextFrame() }
            guard let following = upcoming.take() else { break }
            replaceShown(with: following)
        }
        let ending = (shownNumber ?? 0) < number ? try endingPastLastFrame() : .within
        // Where packets gave no frame, nobody can count.
        let isMiscounted = damage.hasLostPackets
        var found = FoundFrame(frame: try currentFrame())
        if let target = shown.presentation, shown.isDamaged { found = try undamaged(target, onDamage) }
        if isMiscounted, found.degradation == nil {
            if onDamage == .fail { throw .damaged("frames before this one were lost, so that it can't be counted") }
            found.degradation = .miscounted
        }
        return try finished(found, ending, onDamage)
    }
}
