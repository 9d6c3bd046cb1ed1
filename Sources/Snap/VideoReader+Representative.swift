import SnapBase
import SnapMedia

extension VideoReader {
    /// Looks at a handful of key frames, small, and chooses the most telling one; `nil` when none can be had.
    func representativeChoice(_ wishes: SnapshotOptions) throws(SnapError) -> RepresentativeChoice? {
        var small = SnapshotOptions()
        small.size = .box(width: 160, height: 160)
        small.background = wishes.background
        let length = try length()
        var candidates: [RepresentativeChoice.Candidate] = []
        for place in RepresentativeChoice.places {
            let tick = seeker.origin + seeker.timeBase.ticks(notAfter: length.scaled(by: place, over: 100))
            guard
                let key = try converting({ () throws(MediaError) in
                    try seeker.keyFrame(near: tick, earliest: nil, latest: nil)
                })
            else { continue }
            let time = time(of: key.frame.presentation)
            if candidates.contains(where: { $0.time.pts == time.pts }) { continue }
            candidates.append(.init(time: time, look: PictureLook(try picture(of: key.frame, small).0)))
        }
        return RepresentativeChoice(candidates)
    }
}
