package import SnapBase

/// How a live playlist is asked for again, and what came of it (RFC 8216, 6.3.4): pure functions of lists and clocks.
extension MediaPlaylist {
    /// How a list differs from the one before it.
    package enum Change: Sendable, Hashable {
        case unchanged
        /// Segments came or went.
        case advanced
        /// A copy that is older than the one before, as servers behind one name may give.
        case outdated
        /// Numbers went backwards: the stream began anew.
        case restarted
    }

    /// Compares by numbers: the URIs of one segment may be signed anew in every list.
    package func change(since older: MediaPlaylist) -> Change {
        let (end, olderEnd) = (newestID, older.newestID)
        if mediaSequence == older.mediaSequence, end == olderEnd {
            return isEnded == older.isEnded ? .unchanged : .advanced
        }
        let isEarlier = Self.isEarlier(end, than: olderEnd)
        if mediaSequence >= older.mediaSequence, !isEarlier { return .advanced }
        guard isCopy(of: older) else { return .restarted }
        // The last list of a stream leaves out what never became a segment.
        return isEarlier && isEnded == older.isEnded ? .outdated : .advanced
    }

    /// The number of the newest segment, and how many parts there are of it while it is not complete.
    private var newestID: (sequence: UInt64, parts: Int) {
        guard let last = segments.last else { return (mediaSequence, -1) }
        return (last.sequence, last.isComplete ? .max : last.parts.count)
    }

    private static func isEarlier(_ left: (sequence: UInt64, parts: Int), than right: (sequence: UInt64, parts: Int))
        -> Bool
    { left.sequence == right.sequence ? left.parts < right.parts : left.sequence < right.sequence }

    /// Whether the two lists name one segment of the same number alike.
    private func isCopy(of other: MediaPlaylist) -> Bool {
        guard let mine = segments.first?.sequence, let theirs = other.segments.first?.sequence else { return false }
        let common = max(mine, theirs)
        guard let left = segment(numbered: common), let right = other.segment(numbered: common) else { return false }
        return left.path == right.path && left.programDate == right.programDate && left.duration == right.duration
    }

    private func segment(numbered sequence: UInt64) -> Segment? {
        guard let first = segments.first?.sequence, sequence >= first else { return nil }
        let index = sequence - first
        return index < UInt64(segments.count) ? segments[Int(index)] : nil
    }

    /// How far the first segment of this list is behind the first of an older one, on the same time line; for a list that
    /// did not begin anew. Where the two have no segment in common, dates tell, or else the number of segments that were
    /// missed, each as long as any may be.
    package func offset(from older: MediaPlaylist) -> MediaTime {
        guard mediaSequence >= older.mediaSequence else {
            return -(segment(numbered: older.mediaSequence)?.start ?? .zero)
        }
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

    /// The shortest time between two requests for the list: half a target duration, and never less than 0.1 s; a second
    /// where the list does not say.
    package var shortestReload: MediaTime {
        guard targetDuration > .zero else { return MediaTime(seconds: 1) }
        return max(targetDuration.scaled(by: 1, over: 2), Self.shortestWait)
    }

    private static let shortestWait = MediaTime(1, over: 10) ?? .zero

    /// When another part should be there; `nil` for a stream without parts.
    package var nextPart: MediaTime? { partTarget.map { max($0, Self.shortestWait) } }

    /// What a request asks for that the server answers when there is something newer, and not before; `nil` where it
    /// can't do that.
    package var blockingReload: [String]? {
        guard serverControl.canBlockReload, isLive, let last = segments.last, last.sequence < .max else { return nil }
        guard partTarget != nil else { return ["_HLS_msn=\(last.sequence + 1)"] }
        return last.isComplete
            ? ["_HLS_msn=\(last.sequence + 1)", "_HLS_part=0"]
            : ["_HLS_msn=\(last.sequence)", "_HLS_part=\(last.parts.count)"]
    }

    /// When a list that does not change means that the stream stands still: after 3.5 target durations.
    package var staleness: MediaTime { targetDuration.scaled(by: 7, over: 2) }

    // MARK: The newest frame

    /// The newest segment that is there; `nil` where there is none.
    package var newestIndex: Int? { segments.lastIndex { !$0.isGap } }

    /// The parts from the newest that begins with a key frame on; empty where no parts tell.
    package var newestParts: [Segment] {
        guard let newest = newestIndex, segments[newest].keys.isEmpty else { return [] }
        var parts = independentParts(of: newest)
        // A segment that has just begun goes on with the group of pictures of the one before.
        if parts.isEmpty, !segments[newest].isComplete, newest > 0 {
            let (before, last) = (segments[newest - 1], segments[newest])
            let isContinued =
                before.domain == last.domain && before.map == last.map && !before.isGap && before.keys.isEmpty
            parts = isContinued ? independentParts(of: newest - 1) : []
            if !parts.isEmpty { parts += last.pieces }
        }
        return parts
    }

    private func independentParts(of index: Int) -> [Segment] {
        let segment = segments[index]
        let pieces = segment.partialPieces
        // A complete segment whose parts are not all there has its end only as a whole.
        guard pieces.count == segment.parts.count || !segment.isComplete,
            let first = pieces.indices.last(where: { segment.parts[$0].isIndependent })
        else { return [] }
        return Array(pieces[first...])
    }
}

extension Segment {
    /// The URI without its query, in which servers sign.
    fileprivate var path: Substring { uri.prefix { $0 != "?" } }
}
