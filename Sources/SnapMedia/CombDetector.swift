/// Finds combs in a frame that is woven of one of its own fields and another field: a neighbour's or its own other one.
@safe struct CombDetector<Sample: FixedWidthInteger & UnsignedInteger> {
    let planes: FieldPlane<Sample>
    /// The field that stays.
    let kept: Field

    /// Marks the samples of a row that comb.
    ///
    /// A sample combs if it lies beyond both neighbours of the other field, and so does the next one of its own above
    /// or below: a thin line in one row alone is a detail, teeth come in pairs.
    ///
    /// - Parameters:
    ///   - other: Where the row comes from, and those of its field.
    ///   - distance: From row to row; with 2, all are of one field.
    /// - Returns: Whether any does.
    func find(
        _ y: Int, other: PlanarFrame.Plane, distance: Int = 1, _ combs: UnsafeMutableBufferPointer<Bool>
    ) -> Bool {
        let threshold = planes.threshold
        var found = false
        let (keptAbove, keptBelow) = unsafe (planes.row(y - 3 * distance), planes.row(y + 3 * distance))
        let (farAbove, farBelow) = unsafe (
            planes.row(y - 2 * distance, of: other), planes.row(y + 2 * distance, of: other)
        )
        let (above, below) = unsafe (planes.row(y - distance), planes.row(y + distance))
        let here = unsafe planes.row(y, of: other)
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

    /// How many samples comb in each block of a plane, 8 rows of one field high and 16 samples wide.
    struct Amount {
        fileprivate(set) var blocks: [Int] = []

        /// One column of teeth in a block is the edge of something that moved by a sample or two.
        var isNone: Bool { blocks.allSatisfy { $0 < CombDetector.rowsOfBlock } }

        /// Where more combs than chance makes of the texture of one field: two instants.
        ///
        /// - Returns: The number of such blocks, and by how many samples the one that combs most does so.
        func instants(beside texture: Amount) -> (blocks: Int, strongest: Int) {
            let excess = zip(blocks, texture.blocks).map { combs, usual in
                combs - usual - Int(3 * Double(usual).squareRoot())
            }
            return (excess.count { $0 > CombDetector.rowsOfBlock }, excess.max() ?? 0)
        }
    }

    private static var rowsOfBlock: Int { 8 }
    private static var columnsOfBlock: Int { 16 }

    /// Counts combs of the frame that the field that stays makes with the other one of a frame.
    func amount(other: PlanarFrame.Plane) -> Amount {
        amount(inRows: { !kept.holds(row: $0) }, other: other, distance: 1)
    }

    /// What would count as combs in the field that stays: noise, and detail as fine as its rows. Of one instant, a frame has no
    /// more of it, for its rows are nearer to each other.
    func texture() -> Amount {
        amount(inRows: { kept.holds(row: $0) }, other: planes.here, distance: 2)
    }

    /// Leaves out what stands still: a sample that is what it was in a whole frame before or after is fine detail.
    private func amount(inRows isCounted: (Int) -> Bool, other: PlanarFrame.Plane, distance: Int) -> Amount {
        var amount = Amount()
        var combs = [Bool](repeating: false, count: planes.samples)
        let none = [Int](repeating: 0, count: planes.samples / Self.columnsOfBlock + 1)
        var blocks = none
        var rowsLeft = Self.rowsOfBlock
        for y in 0..<planes.rows where isCounted(y) {
            let found = unsafe combs.withUnsafeMutableBufferPointer {
                unsafe find(y, other: other, distance: distance, $0)
            }
            if found {
                for x in 0..<planes.samples where combs[x] && !isStill(x, y, other) {
                    blocks[x / Self.columnsOfBlock] += 1
                }
            }
            rowsLeft -= 1
            if rowsLeft == 0 || y + 2 >= planes.rows {
                amount.blocks += blocks
                blocks = none
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
