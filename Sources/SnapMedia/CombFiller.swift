/// Makes a still of one field where the frame has no neighbours to compare it with.
///
/// The field that stays is left as it is. Of the other, each sample stays where it fits its neighbours, as it does
/// wherever nothing moved, and is interpolated along the best of three directions where it combs.
@safe struct CombFiller<Sample: FixedWidthInteger & UnsignedInteger> {
    let planes: FieldPlane<Sample>
    /// The field that stays.
    let kept: Field
    /// Samples to the next of the same kind in a row.
    let step: Int

    func process(into target: PlanarFrame.Plane) {
        let detector = CombDetector(planes: planes, kept: kept)
        var combs = [Bool](repeating: false, count: planes.samples)
        for y in 0..<planes.rows {
            let to = unsafe target.row(y, of: Sample.self)
            unsafe to.update(from: planes.row(y), count: planes.samples)
            if kept.holds(row: y) || planes.rows < 3 { continue }
            let found = unsafe combs.withUnsafeMutableBufferPointer {
                unsafe detector.find(y, other: planes.here, $0)
            }
            if found { unsafe fill(y, combs, to) }
        }
    }

    /// Interpolates what combs, with two samples to each side, where combs fade out.
    private func fill(_ y: Int, _ combs: [Bool], _ to: UnsafeMutablePointer<Sample>) {
        let rows = unsafe Neighbours(
            higher: planes.row(y - 3), above: planes.row(y - 1), below: planes.row(y + 1), lower: planes.row(y + 3),
            count: planes.samples, step: step)
        let reach = 2 * step
        var lastComb = -1
        for x in 0..<planes.samples {
            let ahead = min(x + reach, planes.samples - 1)
            if combs[ahead] { lastComb = ahead }
            if combs[x] { lastComb = max(lastComb, x) }
            guard lastComb >= 0, x - lastComb <= reach else { continue }
            unsafe to[x] = Sample(min(max(rows.interpolated(x), 0), planes.peak))
        }
    }

    /// The rows of the field that stays, around one that is missing.
    @safe private struct Neighbours {
        let higher: UnsafePointer<Sample>
        let above: UnsafePointer<Sample>
        let below: UnsafePointer<Sample>
        let lower: UnsafePointer<Sample>
        let count: Int
        let step: Int

        /// Along the direction in which the rows above and below agree best; straight down with four taps.
        @inline(__always)
        func interpolated(_ x: Int) -> Int {
            var lean = 0
            if x >= 2 * step, x + 2 * step < count {
                var best = difference(x, lean: 0)
                for candidate in stride(from: -step, through: step, by: 2 * step) {
                    let score = difference(x, lean: candidate)
                    if score < best { (best, lean) = (score, candidate) }
                }
            }
            if lean != 0 { return unsafe (Int(above[x + lean]) + Int(below[x - lean]) + 1) / 2 }
            return unsafe (9 * (Int(above[x]) + Int(below[x])) - Int(higher[x]) - Int(lower[x]) + 8) >> 4
        }

        @inline(__always)
        private func difference(_ x: Int, lean: Int) -> Int {
            let up = unsafe above + x + lean
            let down = unsafe below + x - lean
            return unsafe abs(Int(up[-step]) - Int(down[-step])) + abs(Int(up[0]) - Int(down[0]))
                + abs(Int(up[step]) - Int(down[step]))
        }
    }
}
