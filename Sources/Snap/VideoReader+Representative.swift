import SnapBase
import SnapMedia

extension VideoReader {
    /// How many key frames are looked at for one telling frame.
    private static let candidateCount = 7
    /// Fewer key frames than this, that show something, are too few to choose from.
    private static let fewCandidates = 3
    /// How far behind a key frame others are looked at for one telling frame.
    private static let reach = MediaTime(seconds: 10)

    /// Looks at a handful of frames, small, and chooses the most telling one; `nil` when none can be had.
    func representativeChoice(_ wishes: SnapshotOptions) throws(SnapError) -> RepresentativeChoice? {
        RepresentativeChoice(
            try candidates(
                Self.candidateCount, from: .zero, to: try footage.length(), enough: Self.fewCandidates, wishes,
                isForOne: true))
    }

    /// The times of so many telling frames of a range that differ from each other, or of fewer where fewer differ.
    func distinctTimes(
        _ count: Int, from start: MediaTime, to end: MediaTime, _ wishes: SnapshotOptions
    ) throws(SnapError) -> [MediaTime] {
        let wanted = max(Self.candidateCount, 3 * count)
        let choice = RepresentativeChoice(
            try candidates(wanted, from: start, to: end, enough: wanted / 2, wishes, isForOne: false))
        return choice?.distinct(count).map(\.time.time) ?? []
    }

    /// Key frames of a range, at equal distances; and where they are few, frames between them. What can't be looked at
    /// is passed over.
    ///
    /// - Parameter isForOne: Whether one picture is made of them, which must not take long; else each may take as long as a
    ///   picture, and the whole range counts.
    /// - Throws: ``SnapError`` when the work is cancelled or the time is over, and the first one where nothing could be
    ///   looked at.
    private func candidates(
        _ count: Int, from start: MediaTime, to end: MediaTime, enough: Int, _ wishes: SnapshotOptions, isForOne: Bool
    ) throws(SnapError) -> [RepresentativeChoice.Candidate] {
        var small = SnapshotOptions()
        small.size = .box(width: 160, height: 160)
        small.background = wishes.background
        var found: [RepresentativeChoice.Candidate] = []
        var failure: SnapError?
        func look(isKey: Bool, _ take: () throws(SnapError) -> FootageFrame?) throws(SnapError) {
            if !isForOne { startTiming() }
            do throws(SnapError) {
                guard let taken = try take() else { return }
                let time = taken.time
                if isKey && time.time < start || found.contains(where: { $0.time.time == time.time }) { return }
                let look = PictureLook(try picture(of: taken, small).0)
                found.append(.init(time: time, look: look, isKey: isKey || taken.found.frame.isKey))
            } catch {
                if error.code == .cancelled || error.code == .timedOut { throw error }
                failure = failure ?? error
            }
        }
        for part in 0..<Int64(count) {
            // From 5 to 95 % of the range.
            let place = start + (end - start).scaled(by: 5 * Int64(count - 1) + 90 * part, over: 100 * Int64(count - 1))
            try look(isKey: true) { () throws(SnapError) in try footage.keyFrame(near: place) }
        }
        let sharpest = RepresentativeChoice.sharpest(found.map(\.look))
        let scenes = found.count { $0.look.filler == nil && $0.look.flaw(sharpest: sharpest) == nil }
        if scenes >= enough { return found }
        let places = Self.placesBetween(
            found.map(\.time.time), start, end, count: max(1, count / max(found.count, 1)),
            reach: isForOne ? Self.reach : end - start)
        for (index, place) in places.enumerated() {
            let next = index + 1 < places.count ? Moment.Target.time(places[index + 1]) : nil
            try look(isKey: false) { () throws(SnapError) in try footage.frame(at: .time(place), next: next, small) }
        }
        if found.isEmpty, let failure { throw failure }
        return found.sorted { $0.time.time < $1.time.time }
    }

    /// Times behind each key frame, so many and no farther than `reach`, so that little is decoded on the way.
    private static func placesBetween(
        _ keys: [MediaTime], _ start: MediaTime, _ end: MediaTime, count: Int, reach: MediaTime
    ) -> [MediaTime] {
        let keys = keys.isEmpty ? [start] : keys
        return keys.indices.flatMap { index in
            let gap = min((index + 1 < keys.count ? keys[index + 1] : end) - keys[index], reach)
            return (1...Int64(count)).map { keys[index] + gap.scaled(by: 2 * $0 - 1, over: 2 * Int64(count)) }
        }
    }
}
