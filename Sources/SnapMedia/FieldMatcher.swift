/// Looks for the other field of the instant at which a frame's first field was taken.
///
/// Film that is spread over fields (telecine, 3:2 pulldown) has it in the frame itself, in the one before or, where the
/// order of the fields is not as flagged, in the one after. Video that was taken in fields has it nowhere.
struct FieldMatcher<Sample: FixedWidthInteger & UnsignedInteger> {
    enum Match { case here, before, after }

    /// - Parameters:
    ///   - kept: The field taken first.
    ///   - planes: Of luma.
    /// - Returns: `nil` where no field fits.
    static func match(of kept: Field, in planes: FieldPlane<Sample>) -> Match? {
        let detector = CombDetector(planes: planes, kept: kept)
        let own = detector.amount(other: planes.here)
        if own.isNone { return .here }
        var others: [(match: Match, plane: PlanarFrame.Plane, amount: CombDetector<Sample>.Amount)] = []
        for (match, plane) in [(Match.before, planes.before), (.after, planes.after)] {
            guard let plane else { continue }
            let amount = detector.amount(other: plane)
            if amount.isNone { return match }
            others.append((match, plane, amount))
        }
        guard others.count == 2 else { return nil }

        // Where all of them comb, detail and noise do: what counts is what combs more than one field by itself does.
        let texture = detector.texture()
        func candidate(_ match: Match, _ amount: CombDetector<Sample>.Amount) -> Candidate {
            let (instants, strongest) = amount.instants(beside: texture)
            return Candidate(
                match: match, instants: instants, strongest: strongest, combs: amount.blocks.reduce(0, +))
        }
        var candidates = [candidate(.here, own)]
        let changes = others.map { changedSamples(in: $0.plane, of: kept.other, planes) }
        for (index, other) in others.enumerated() {
            // Film spread over fields repeats some: a neighbour that has the frame's own is no other candidate.
            let (near, far) = (changes[index], changes[1 - index])
            let isRepeated = 400 * near <= planes.rows * planes.samples && 8 * near <= far && far > 0
            if !isRepeated { candidates.append(candidate(other.match, other.amount)) }
        }
        return best(of: candidates, blocks: own.blocks.count)
    }

    /// A field that may be of the instant of the one that stays.
    private struct Candidate {
        let match: Match
        /// In how many blocks another instant shows.
        let instants: Int
        /// How many samples of the block where it shows most.
        let strongest: Int
        /// All samples that comb, those of detail and noise too.
        let combs: Int
    }

    /// The one that is far better than all others. Of video taken in fields, the frame's own other field and that of a
    /// neighbour are as far away in time, and comb as much. A frame's own is the likely one; for a neighbour's there must be no
    /// doubt. None is, where one block clearly shows another instant: something small moves there, before film or a still.
    private static func best(of candidates: [Candidate], blocks: Int) -> Match? {
        let byInstants = candidates.sorted { $0.instants < $1.instants }
        let (first, second) = (byInstants[0], byInstants[1])
        let times = first.match == .here ? 8 : 24
        if first.strongest < 24, first.instants <= blocks / 50, second.instants >= max(8, first.instants * times) {
            return first.match
        }
        // What moves little hardly shows in any: the one with fewer combs is it where none of another instant shows.
        let byCombs = candidates.sorted { $0.combs < $1.combs }
        let (fewest, next) = (byCombs[0], byCombs[1])
        let isDistinct = 4 * next.combs >= fewest.combs * (fewest.match == .here ? 5 : 8)
        return isDistinct && fewest.instants == 0 ? fewest.match : nil
    }

    /// How many samples of a field are others in a neighbour.
    private static func changedSamples(
        in neighbour: PlanarFrame.Plane, of field: Field, _ planes: FieldPlane<Sample>
    ) -> Int {
        let threshold = planes.threshold
        var changes = 0
        for y in 0..<planes.rows where field.holds(row: y) {
            let (one, other) = unsafe (planes.row(y), planes.row(y, of: neighbour))
            for x in 0..<planes.samples {
                if unsafe abs(Int(one[x]) - Int(other[x])) > threshold { changes += 1 }
            }
        }
        return changes
    }

    /// Whether a neighbour shows the same scene: half of its samples, or more, are near to those here.
    static func isSameScene(_ planes: FieldPlane<Sample>, _ neighbour: PlanarFrame.Plane) -> Bool {
        var (near, all) = (0, 0)
        for y in stride(from: 0, to: planes.rows, by: 3) {
            let (one, other) = unsafe (planes.row(y), planes.row(y, of: neighbour))
            for x in stride(from: 0, to: planes.samples, by: 4) {
                all += 1
                if unsafe abs(Int(one[x]) - Int(other[x])) <= 3 * planes.threshold { near += 1 }
            }
        }
        return 2 * near >= all
    }
}
