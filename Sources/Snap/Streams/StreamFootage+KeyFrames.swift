import SnapBase
import SnapMedia
import SnapPlaylist

/// Key frames by the lists that name nothing else (EXT-X-I-FRAME-STREAM-INF): a few bytes in place of a segment.
extension StreamFootage {
    /// The key frame for a time from such a list, where there is one and the tolerance allows it.
    ///
    /// - Returns: `nil` where the usual way has to be gone, also because the list or its entry can't be had.
    func listedKeyFrame(near time: MediaTime, _ tolerance: Tolerance) throws(SnapError) -> FootageFrame? {
        guard !tolerance.isExact, case .variants(var list, _) = top, !list.iFrameVariants.isEmpty else { return nil }
        list = list.withVariants(list.iFrameVariants)
        guard let best = list.ranked(for: wishOfKeyFrames, canDecode: Libraries.canDecode).variants.first else {
            return nil
        }
        loader.fetcher.hasAlternative = true
        defer { loader.fetcher.hasAlternative = false }
        do {
            return try rendition(Candidate(variant: best)).listedKeyFrame(near: time, tolerance)
        } catch {
            let error = SnapError(any: error, errors)
            guard mayBeHadElsewhere(error) else { throw error }
            return nil
        }
    }
}

extension RenditionReader {
    /// The entry of a list of key frames that is at or before a time, else the next one, as far as the tolerance goes.
    func listedKeyFrame(near time: MediaTime, _ tolerance: Tolerance) throws -> FootageFrame? {
        guard playlist.isIFramesOnly, !playlist.isLive, !playlist.segments.isEmpty else { return nil }
        let place = try rendition.place(at: time)
        let segments = playlist.segments
        let next = place.index + 1
        let index: Int
        if tolerance.before.map({ place.offset <= $0 }) ?? true, !place.isPastEnd {
            index = place.index
        } else if next < segments.count, segments[next].start - time <= tolerance.after {
            index = next
        } else {
            return nil
        }
        guard let taken = try rendition.keyFrame(at: Rendition.Place(index: index, offset: .zero)) else { return nil }
        return footageFrame(taken)
    }
}
