package import SnapBase

/// How a live playlist is asked for again, and what came of it (RFC 8216, 6.3.4): pure functions of lists and clocks.
extension MediaPlaylist {
    /// How a list differs from the one before it.
    package enum Change: Sendable, Hashable {
        case unchanged
        /// Segments came or went.
        case advanced
        /// Numbers went backwards: the stream began anew.
        case restarted
    }

    package func change(since older: MediaPlaylist) -> Change {
        if mediaSequence < older.mediaSequence { return .restarted }
        if isEnded == older.isEnded, mediaSequence == older.mediaSequence, segments.count == older.segments.count,
            partsOfNext == older.partsOfNext, segments.last?.uri == older.segments.last?.uri
        {
            return .unchanged
        }
        let end = mediaSequence &+ UInt64(segments.count)
        let olderEnd = older.mediaSequence &+ UInt64(older.segments.count)
        return end < olderEnd ? .restarted : .advanced
    }

    /// How far the first segment of this list is behind the first of an older one, on the same time line. Where the two
    /// have no segment in common, dates tell, or else the number of segments that were missed, each as long as any may
    /// be.
    ///
    /// - Returns: `nil` for a list that began anew.
    package func offset(from older: MediaPlaylist) -> MediaTime? {
        guard mediaSequence >= older.mediaSequence else { return nil }
        let gone = mediaSequence - older.mediaSequence
        let known = UInt64(older.segments.count)
        if gone < known { return older.segments[Int(gone)].start }
        if !segments.isEmpty, !older.segments.isEmpty, let here = date(ofSegment: 0),
            let there = older.date(ofSegment: 0), here >= there + older.duration
        {
            return here - there
        }
        return older.duration + targetDuration.scaled(by: Int64(clamping: gone - known), over: 1)
    }

    /// The shortest time between two requests for the list: half a target duration, and never less than 0.1 s.
    package var shortestReload: MediaTime {
        max(targetDuration.scaled(by: 1, over: 2), MediaTime(1, over: 10) ?? .zero)
    }

    /// When a list that does not change means that the stream stands still: after 3.5 target durations.
    package var staleness: MediaTime { targetDuration.scaled(by: 7, over: 2) }

    /// The newest segment that is there; `nil` where there is none.
    package var newestIndex: Int? { segments.lastIndex { !$0.isGap } }
}
