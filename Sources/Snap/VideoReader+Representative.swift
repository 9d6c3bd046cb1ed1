import SnapBase
import SnapMedia

extension VideoReader {
    /// Looks at a handful of key frames, small, and gives the most telling one.
    func representativeFrame(_ wishes: SnapshotOptions) throws(SnapError) -> (FoundFrame, RepresentativeChoice?) {
        var small = SnapshotOptions()
        small.size = .box(width: 160, height: 160)
        small.background = wishes.background
        let length = try length()
        var candidates: [RepresentativeChoice.Candidate] = []
        for place in RepresentativeChoice.places {
            let tick = seeker.origin + seeker.timeBase.ticks(notAfter: length.scaled(by: place, over: 100))
            guard let key = try converting({ () throws(MediaError) in try seeker.keyFrame(near: tick, earliest: nil, latest: nil) })
            else { continue }
            let time = time(of: key.frame.presentation)
            if candidates.contains(where: { $0.time.pts == time.pts }) { continue }
            candidates.append(.init(time: time, look: PictureLook(try picture(of: key.frame, small).0)))
        }
        guard let choice = RepresentativeChoice(candidates) else {
            // Without key frames to be had, the first frame that is there.
            return (try converting { () throws(MediaError) in try seeker.frame(shownAt: seeker.origin, onDamage: wishes.onDamage) }, nil)
        }
        let found = try converting { () throws(MediaError) in
            try seeker.frame(shownAt: choice.chosen.time.pts, onDamage: wishes.onDamage)
        }
        return (found, choice)
    }
}
