import SnapBase

/// How a representative frame was chosen among candidates.
struct RepresentativeChoice {
    /// One candidate, looked at small.
    struct Candidate {
        let time: FrameTime
        let look: PictureLook
    }

    /// The parts of the video's length at which key frames are looked at.
    static let places: [Int64] = [5, 20, 35, 50, 65, 80, 95]

    let chosen: Candidate
    let isPoor: Bool
    let sentence: String

    /// Chooses the most telling candidate.
    ///
    /// Black and blank ones are out, and those much less sharp than the sharpest, unless nothing else is left.
    ///
    /// - Returns: `nil` without candidates.
    init?(_ candidates: [Candidate]) {
        let sharpest = candidates.map(\.look.sharpness).max() ?? 0
        let verdicts = candidates.map { ($0, $0.look.flaw(sharpest: sharpest)) }
        let good = verdicts.filter { $0.1 == nil }.map(\.0)
        guard let best = (good.isEmpty ? candidates : good).max(by: { $0.look.interest < $1.look.interest }) else {
            return nil
        }
        chosen = best
        isPoor = good.isEmpty
        var rejected: [String: Int] = [:]
        for case (_, let flaw?) in verdicts { rejected[flaw, default: 0] += 1 }
        let out = ["black", "blank", "blurred"].compactMap { flaw in rejected[flaw].map { "\($0) \(flaw)" } }
        sentence =
            "the most telling of \(candidates.count) key frame\(candidates.count == 1 ? "" : "s")"
            + (out.isEmpty ? "" : " (\(out.joined(separator: ", ")))")
    }
}
