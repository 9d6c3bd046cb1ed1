package import SnapBase

/// The neighbours of interlaced frames.
extension FrameSeeker {
    /// Says what will be done about fields with the frames found next, so that one decoding gives their neighbours too.
    package func expectFields(for wish: Deinterlacing) {
        fields.follow(wish)
    }

    /// Whether the first frame of a run of decoding shows that neighbours are needed: the run was planned without.
    func noticesFields() -> Bool {
        switch shown {
        case .some(let frame): fields.notice(frame)
        case .none: false
        }
    }

    /// Adds its neighbours to a frame that was found, where something is to be done about its fields.
    ///
    /// - Complexity: A frame more, as a rule. What ``frame(shownAt:next:onDamage:)`` takes where fields were not expected, and
    ///   for a frame that decoding began with.
    package func withNeighbours(
        _ found: consuming FoundFrame, for wish: Deinterlacing
    ) throws(MediaError) -> FoundFrame {
        guard wish.concerns(found.frame), found.degradation == nil else { return found }
        _ = fields.notice(found.frame)
        let time = found.frame.presentation
        found.neighbours = try whole { () throws(MediaError) in try neighbours(ofFrameAt: time) }
        return found
    }

    private func neighbours(ofFrameAt time: Int64) throws(MediaError) -> FrameNeighbours {
        let isFirst = time <= origin || shownNumber == 0
        if shown.presentation != time || stage == .lost || previous.presentation == nil && !isFirst {
            try locate(time - 1, next: nil)
            try advance(to: time)
        }
        guard shown.presentation == time else { return FrameNeighbours() }
        if upcoming.presentation == nil { upcoming = try nextFrame() }
        return FrameNeighbours(before: try previous.soundCopy(), after: try upcoming.soundCopy())
    }
}

extension Optional where Wrapped == VideoFrame {
    /// A second reference to the pixels; `nil` for a frame that lost data.
    fileprivate func soundCopy() throws(MediaError) -> VideoFrame? {
        switch self {
        case .some(let frame): frame.isDamaged ? nil : try frame.copy()
        case .none: nil
        }
    }
}
