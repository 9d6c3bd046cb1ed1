/// Finds combs in a frame that is woven of one of its own fields and another field: a neighbour's or its own other one.
@safe struct CombDetector<Sample: FixedWidthInteger & UnsignedInteger> {
    let planes: FieldPlane<Sample>
    /// The field that stays.
    let kept: Field

    /// Marks the samples of a row that comb, out of the field that does not stay.
    ///
    /// A sample combs if it lies beyond both neighbours of the other field, and so does the next one of its own above
    /// or below: a thin line in one row alone is a detail, teeth come in pairs.
    ///
    /// - Parameter other: Where the field comes from that does not stay.
    /// - Returns: Whether any does.
    func find(_ y: Int, other: PlanarFrame.Plane, _ combs: UnsafeMutableBufferPointer<Bool>) -> Bool {
        let threshold = planes.threshold
        var found = false
        let (keptAbove, farAbove) = unsafe (planes.row(y - 3), planes.row(y - 2, of: other))
        let (keptBelow, farBelow) = unsafe (planes.row(y + 3), planes.row(y + 2, of: other))
        let (above, here, below) = unsafe (planes.row(y - 1), planes.row(y, of: other), planes.row(y + 1))
        for x in 0..<planes.samples {
            let (value, over, under) = unsafe (Int(here[x]), Int(above[x]), Int(below[x]))
            let sign = value > over ? 1 : -1
            guard min((value - over) * sign, (value - under) * sign) > threshold else {
                unsafe combs[x] = false
                continue
            }
            let upper = unsafe Int(farAbove[x]) * sign - max(over * sign, Int(keptAbove[x]) * sign)
            let lower = unsafe Int(farBelow[x]) * sign - max(under * sign, Int(keptBelow[x]) * sign)
            let isComb = 2 * max(upper, lower) > threshold
            unsafe combs[x] = isComb
            found = found || isComb
        }
        return found
    }

    /// How much of a frame combs.
    struct Amount {
        /// Of all samples looked at.
        var total = 0
        /// In the block that has most.
        var worst = 0

        /// One column of teeth in a block is the edge of something that moved by a sample or two.
        var isNone: Bool { worst < CombDetector.rowsOfBlock }
    }

    private static var rowsOfBlock: Int { 8 }
    private static var columnsOfBlock: Int { 16 }

    /// Counts combs, leaving out what stands still: a sample that is what it was in a whole frame before or after is
    /// fine detail.
    func amount(other: PlanarFrame.Plane) -> Amount {
        var amount = Amount()
        var combs = [Bool](repeating: false, count: planes.samples)
        var blocks = [Int](repeating: 0, count: planes.samples / Self.columnsOfBlock + 1)
        var rowsLeft = Self.rowsOfBlock
        for y in 0..<planes.rows where !kept.holds(row: y) {
            let found = unsafe combs.withUnsafeMutableBufferPointer { unsafe find(y, other: other, $0) }
            if found {
                for x in 0..<planes.samples where combs[x] && !isStill(x, y, other) {
                    blocks[x / Self.columnsOfBlock] += 1
                    amount.total += 1
                }
            }
            rowsLeft -= 1
            if rowsLeft == 0 || y + 2 >= planes.rows {
                for index in blocks.indices {
                    amount.worst = max(amount.worst, blocks[index])
                    blocks[index] = 0
                }
                rowsLeft = Self.rowsOfBlock
            }
        }
        return amount
    }

    private func isStill(_ x: Int, _ y: Int, _ other: PlanarFrame.Plane) -> Bool {
        let difference = unsafe Int(planes.row(y, of: other)[x]) - Int(planes.row(y)[x])
        return abs(difference) <= planes.threshold / 2
            && (isSame(x, y, in: planes.before) || isSame(x, y, in: planes.after))
    }

    private func isSame(_ x: Int, _ y: Int, in neighbour: PlanarFrame.Plane?) -> Bool {
        guard let neighbour else { return false }
        for row in y - 1...y + 1 {
            let difference = unsafe Int(planes.row(row, of: neighbour)[x]) - Int(planes.row(row)[x])
            if abs(difference) > planes.threshold / 2 { return false }
        }
        return true
    }
}
