import SnapBase
import SnapMedia

extension VideoReader {
    /// Looks at a handful of key frames, small, and chooses the most telling one; `nil` when none can be had.
    func representativeChoice(_ wishes: SnapshotOptions) throws(SnapError) -> RepresentativeChoice? {
        var small = SnapshotOptions()
        small.size = .box(width: 160, height: 160)
        small.background = wishes.background
        let length = try footage.length()
        var candidates: [RepresentativeChoice.Candidate] = []
        for place in RepresentativeChoice.places {
            guard let key = try footage.keyFrame(near: length.scaled(by: place, over: 100)) else { continue }
            if candidates.contains(where: { $0.time.time == key.time.time }) { continue }
            candidates.append(.init(time: key.time, look: PictureLook(try picture(of: key, small).0)))
        }
        return RepresentativeChoice(candidates)
    }
}
