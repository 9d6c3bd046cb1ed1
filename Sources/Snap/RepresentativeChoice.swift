import SnapBase

/// Frames of a video that were looked at small, and how telling each of them is.
struct RepresentativeChoice {
    /// One candidate.
    struct Candidate {
        let time: FrameTime
        let look: PictureLook
        let isKey: Bool
    }

    private struct Rated {
        let candidate: Candidate
        /// Whether there is anything to see.
        let isGood: Bool
        /// Whether it shows a scene, and all of it: no bars, text or fade.
        let isScene: Bool
        /// How telling it is, 0 to 1.
        let interest: Double
    }

    /// As they come in the video.
    private let rated: [Rated]
    /// What was found wrong, and how often.
    private let flaws: [PictureLook.Flaw: Int]

    /// - Returns: `nil` without candidates.
    init?(_ candidates: [Candidate]) {
        if candidates.isEmpty { return nil }
        let sharpest = Self.sharpest(candidates.map(\.look))
        let good = candidates.filter { $0.look.flaw(sharpest: sharpest) == nil }
        let contrasts = good.filter { $0.look.filler == nil }.map(\.look.deviation).sorted()
        let contrast = contrasts.isEmpty ? 0 : contrasts[contrasts.count * 3 / 4]
        var flaws: [PictureLook.Flaw: Int] = [:]
        rated = candidates.map { candidate in
            let look = candidate.look
            let flaw = look.flaw(sharpest: sharpest)
            let isFaded = look.isFaded(contrast: contrast) || good.contains { look.isFaded(from: $0.look) }
            let blemish = flaw ?? look.filler ?? (isFaded ? .faded : nil)
            if let blemish { flaws[blemish, default: 0] += 1 }
            // A frame from the middle of what the video shows is like many others of it.
            let distances = good.map { $0.look.signature.distance(to: look.signature) }
            let typicality = 1 - Self.median(distances)
            let interest = Self.interest(look, sharpest: sharpest, typicality: typicality)
            return Rated(
                candidate: candidate, isGood: flaw == nil, isScene: blemish == nil,
                interest: blemish == nil ? interest : interest / 3)
        }
        self.flaws = flaws
    }

    /// How much there is to see, 0 to 1.
    private static func interest(_ look: PictureLook, sharpest: Double, typicality: Double) -> Double {
        let detail = look.entropy / 6
        let sharpness = sharpest > 0 ? min(1, 1.5 * look.sharpness / sharpest) : 0
        let exposure = 1 - max(0, look.clippedShare - 0.2) - abs(look.mean - 120) / 240
        let colour = min(look.colourfulness / 80, 1)
        return 0.4 * detail + 0.15 * sharpness + 0.15 * max(0, exposure) + 0.1 * colour + 0.2 * typicality
    }

    /// What the sharpness of others is compared with: text and bars are sharper than any scene.
    static func sharpest(_ looks: [PictureLook]) -> Double {
        let scenes = looks.filter { $0.filler == nil }
        return (scenes.isEmpty ? looks : scenes).map(\.sharpness).max() ?? 0
    }

    private static func median(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.sorted()[values.count / 2]
    }

    // MARK: The most telling

    var chosen: Candidate {
        let good = rated.filter(\.isGood)
        let best = (good.isEmpty ? rated : good).max { $0.interest < $1.interest }
        return (best ?? rated[0]).candidate
    }

    /// Whether nothing better than a black, blank or blurred frame was found.
    var isPoor: Bool { !rated.contains(where: \.isGood) }

    var sentence: String {
        let kind = rated.allSatisfy(\.candidate.isKey) ? "key frame" : "frame"
        let out = PictureLook.Flaw.allCases.compactMap { flaw in flaws[flaw].map { "\($0) \(flaw.rawValue)" } }
        return "the most telling of \(rated.count) \(kind)\(rated.count == 1 ? "" : "s")"
            + (out.isEmpty ? "" : " (\(out.joined(separator: ", ")))")
    }

    // MARK: Several that differ

    /// What two frames differ by at least, to be two.
    private static let leastDistance = 0.04

    /// So many telling frames that differ from each other, or fewer where fewer differ; in the order of the video.
    ///
    /// What else than a scene a frame shows sets it apart from all others, so such frames come when no scene is left.
    func distinct(_ count: Int) -> [Candidate] {
        let good = rated.filter(\.isGood)
        var left = good.isEmpty ? rated : good
        /// How far each that is left is from the nearest that was chosen.
        var distances = left.map { _ in 1.0 }
        var chosen: [Candidate] = []
        while chosen.count < count {
            let differing = left.indices.filter { distances[$0] >= Self.leastDistance }
            let scenes = differing.filter { left[$0].isScene }
            guard
                let best = (scenes.isEmpty ? differing : scenes).max(by: {
                    left[$0].interest * distances[$0] < left[$1].interest * distances[$1]
                })
            else { break }
            let candidate = left[best].candidate
            chosen.append(candidate)
            left.remove(at: best)
            distances.remove(at: best)
            for index in left.indices {
                let distance = left[index].candidate.look.signature.distance(to: candidate.look.signature)
                distances[index] = min(distances[index], distance)
            }
        }
        return chosen.sorted { $0.time.time < $1.time.time }
    }
}
