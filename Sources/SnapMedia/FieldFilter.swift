/// Rebuilds the rows between those of one field from the instant of that field, with its neighbours in time.
///
/// Two estimates of a missing sample are weighed. What stands still is the mean of the two samples at its own place, half
/// a frame earlier and later. What moves is interpolated in the field that stays, with the fine vertical detail of the
/// fields around (the filter of M. Weston, BBC, GB patent 2191060). The first estimate bounds the second: by how much
/// the picture changed there from frame to frame, and by what the rows above and below it stand out too: by half of that
/// where it is little, as in fine detail, and by all where it can only be a comb.
@safe struct FieldFilter<Sample: FixedWidthInteger & UnsignedInteger> {
    let planes: FieldPlane<Sample>
    /// The field that stays.
    let kept: Field
    /// Whether it was taken before the other one of its frame.
    let isFirst: Bool

    func process(into target: PlanarFrame.Plane) {
        for y in 0..<planes.rows {
            let to = unsafe target.row(y, of: Sample.self)
            if kept.holds(row: y) || planes.rows < 3 {
                unsafe to.update(from: planes.row(y), count: planes.samples)
            } else {
                let rows = Rows(around: y, planes, isFirst: isFirst)
                let limits = Limits(peak: planes.peak)
                for x in 0..<planes.samples {
                    unsafe to[x] = Sample(truncatingIfNeeded: rows.sample(x, limits))
                }
            }
        }
    }

    private struct Limits {
        /// The largest sample.
        let peak: Int32
        /// How far an interpolated sample may lie beyond those around it: 8 of 255.
        let overshoot: Int32
        /// What stands out by more than this is a comb: 40 of 255.
        let detail: Int32

        init(peak: Int) {
            self.peak = Int32(peak)
            overshoot = Int32(max(1, 8 * peak / 255))
            detail = Int32(40 * peak / 255)
        }
    }

    /// The rows that a missing one is made of.
    @safe private struct Rows {
        typealias Row = UnsafePointer<Sample>

        /// Of the field that stays, 3 and 1 above, 1 and 3 below; and the nearer two in the frames before and after.
        private let higher, above, below, lower: Row
        private let aboveBefore, belowBefore, aboveAfter, belowAfter: Row
        /// Of the other field, half a frame earlier and later: the same row, and those 2 and 4 rows away.
        private let earlier, later: Row
        private let earlierUp, earlierDown, laterUp, laterDown: Row
        private let earlierTop, earlierEnd, laterTop, laterEnd: Row

        init(around y: Int, _ planes: FieldPlane<Sample>, isFirst: Bool) {
            let (before, after) = (planes.before ?? planes.here, planes.after ?? planes.here)
            unsafe (higher, above) = unsafe (planes.row(y - 3), planes.row(y - 1))
            unsafe (below, lower) = unsafe (planes.row(y + 1), planes.row(y + 3))
            unsafe (aboveBefore, belowBefore) = unsafe (planes.row(y - 1, of: before), planes.row(y + 1, of: before))
            unsafe (aboveAfter, belowAfter) = unsafe (planes.row(y - 1, of: after), planes.row(y + 1, of: after))
            let past = isFirst ? before : planes.here
            let future = isFirst ? planes.here : after
            unsafe (earlier, later) = unsafe (planes.row(y, of: past), planes.row(y, of: future))
            unsafe (earlierUp, laterUp) = unsafe (planes.row(y - 2, of: past), planes.row(y - 2, of: future))
            unsafe (earlierDown, laterDown) = unsafe (planes.row(y + 2, of: past), planes.row(y + 2, of: future))
            unsafe (earlierTop, laterTop) = unsafe (planes.row(y - 4, of: past), planes.row(y - 4, of: future))
            unsafe (earlierEnd, laterEnd) = unsafe (planes.row(y + 4, of: past), planes.row(y + 4, of: future))
        }

        /// - Returns: 0 to the peak.
        @inline(__always)
        func sample(_ x: Int, _ limits: Limits) -> Int32 {
            // Samples have 16 bits at most and weights 13, with a sum of magnitudes below 4: nothing can overflow, and
            // arithmetic without checks can be done on many samples at once.
            func value(_ row: Row) -> Int32 { unsafe Int32(truncatingIfNeeded: row[x]) }
            func distance(_ one: Int32, _ other: Int32) -> Int32 { max(one, other) &- min(one, other) }

            let (up, down, past, future) = unsafe (value(above), value(below), value(earlier), value(later))
            let still = (past &+ future) >> 1
            let change = distance(past, future)
            let changeBefore =
                unsafe (distance(value(aboveBefore), up) &+ distance(value(belowBefore), down)) >> 1
            let changeAfter = unsafe (distance(value(aboveAfter), up) &+ distance(value(belowAfter), down)) >> 1
            let motion = max(change >> 1, changeBefore, changeAfter)

            // How far the rows above and below lie, in the other field, from where this one does.
            let stillUp = unsafe (value(earlierUp) &+ value(laterUp)) >> 1
            let stillDown = unsafe (value(earlierDown) &+ value(laterDown)) >> 1
            let (gapUp, gapDown) = (stillUp &- up, stillDown &- down)
            let (riseUp, riseDown) = (still &- up, still &- down)
            let highest = max(riseUp, riseDown, min(gapUp, gapDown))
            let lowest = min(riseUp, riseDown, max(gapUp, gapDown))
            let excess = max(0, max(lowest, 0 &- highest) &- motion)
            let bound = motion &+ (excess > limits.detail ? excess : excess >> 1)

            let (sum, farSum) = unsafe (up &+ down, value(higher) &+ value(lower))
            let near = unsafe value(earlierUp) &+ value(laterUp) &+ value(earlierDown) &+ value(laterDown)
            let far = unsafe value(earlierTop) &+ value(laterTop) &+ value(earlierEnd) &+ value(laterEnd)
            let detail = 1393 &* (past &+ future) &- 950 &* near &+ 254 &* far
            let detailed = (detail &+ 4309 &* sum &- 213 &* farSum &+ 4096) >> 13
            // Where more changed in time than between rows, detail is older than it should be: half of it.
            let vertical = (5077 &* sum &- 981 &* farSum &+ 4096) >> 13
            let moving = distance(up, down) > change ? detailed : (detailed &+ vertical) >> 1
            let smooth = min(
                max(moving, min(up, down, still) &- limits.overshoot), max(up, down, still) &+ limits.overshoot)
            return min(max(min(max(smooth, still &- bound), still &+ bound), 0), limits.peak)
        }
    }
}
