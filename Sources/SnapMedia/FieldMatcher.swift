/// Looks for the other field of the instant at which a frame's first field was taken.
///
/// Film that is spread over fields (telecine, 3:2 pulldown) has it in the frame itself, in the one before or, where the
/// order of the fields is not as flagged, in the one after. Video that was taken in fields has it nowhere.
struct FieldMatcher<Sample: FixedWidthInteger & UnsignedInteger> {
    enum Match { case here, before, after }

    /// How much less than with any other field a frame combs with the one of the same instant. A frame's own other field
    /// is the likely one; for a neighbour's there must be no doubt.
    private static func distinction(of match: Match) -> Int { match == .here ? 4 : 8 }

    /// - Parameters:
    ///   - planes: Of luma.
    ///   - kept: The field taken first.
    /// - Returns: `nil` where no field fits.
    static func match(of kept: Field, in planes: FieldPlane<Sample>) -> Match? {
        let detector = CombDetector(planes: planes, kept: kept)
        let own = detector.amount(other: planes.here)
        if own.isNone { return .here }
        var candidates = [(match: Match.here, amount: own)]
        for (match, plane) in [(Match.before, planes.before), (.after, planes.after)] {
            guard let plane else { continue }
            let amount = detector.amount(other: plane)
            if amount.isNone { return match }
            candidates.append((match, amount))
        }
        // With neighbours on both sides a field may be told by being far better than both others, detail and all.
        candidates.sort { $0.amount.total < $1.amount.total }
        guard candidates.count == 3 else { return nil }
        let (best, second) = (candidates[0], candidates[1])
        return best.amount.total * distinction(of: best.match) <= second.amount.total ? best.match : nil
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
