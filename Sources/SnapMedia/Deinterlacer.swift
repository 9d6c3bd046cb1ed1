import CFFmpeg

/// Makes a still without combs from one interlaced frame.
///
/// The field that was taken first stays as it is. Of the other, each sample stays where it fits its neighbours, as it
/// does wherever nothing moved, and is interpolated along the best of three directions where it combs.
enum Deinterlacer {
    /// - Parameters:
    ///   - frame: Any planes in the machine's byte order.
    ///   - keepsTopField: Whether the rows 0, 2, 4 … were taken first.
    /// - Returns: A new frame; `nil` where the layout is not supported or there are too few rows.
    static func still(
        from frame: borrowing PlanarFrame, keepsTopField: Bool
    ) throws(PictureError) -> PlanarFrame? {
        guard !frame.layout.isForeignEndian, frame.height >= 4 else { return nil }
        let (width, height, layout, code) = unsafe (
            frame.width, frame.height, frame.layout, AVPixelFormat(frame.frame.pointee.format)
        )
        let result = try converting { () throws(FFmpegError) in
            try PlanarFrame(width: width, height: height, code: code, layout: layout)
        }
        var done: Set<Int> = []
        for component in 0..<(layout.hasAlpha ? 4 : 3) where done.insert(layout.planes[component]).inserted {
            let (from, to) = (try frame.plane(of: component), try result.plane(of: component))
            let step = layout.isSemiPlanar && component == 1 ? 2 : 1
            if layout.bytesPerSample == 1 {
                Plane<UInt8>(from, to, step: step, peak: layout.peak).process(keepsTopField: keepsTopField)
            } else {
                Plane<UInt16>(from, to, step: step, peak: layout.peak).process(keepsTopField: keepsTopField)
            }
        }
        return result
    }
}

/// One plane on its way.
@safe private struct Plane<Sample: FixedWidthInteger & UnsignedInteger> {
    private let source: PlanarFrame.Plane
    private let target: PlanarFrame.Plane
    /// Samples to the next of the same kind in a row.
    private let step: Int
    private let peak: Int
    /// What two fields may differ by without moving: 10 of 255.
    private let threshold: Int

    init(_ source: PlanarFrame.Plane, _ target: PlanarFrame.Plane, step: Int, peak: Int) {
        (self.source, self.target, self.step, self.peak) = (source, target, step, peak)
        threshold = max(1, 10 * peak / 255)
    }

    func process(keepsTopField: Bool) {
        var combs = [Bool](repeating: false, count: source.samples)
        for y in 0..<source.rows {
            let (from, to) = unsafe (source.row(y, of: Sample.self), target.row(y, of: Sample.self))
            unsafe to.update(from: from, count: source.samples)
            if (y % 2 == 0) == keepsTopField || source.rows < 3 { continue }
            let found = unsafe combs.withUnsafeMutableBufferPointer { unsafe findCombs(y, $0) }
            if found { fill(y, combs) }
        }
    }

    /// A row at a distance from y, of the same parity as `y + offset`, mirrored at the edges of the plane.
    private func row(_ y: Int, _ offset: Int) -> UnsafePointer<Sample> {
        let place = y + offset
        let inside = place < 0 ? -place : place >= source.rows ? 2 * (source.rows - 1) - place : place
        return unsafe UnsafePointer(source.row(min(max(inside, 0), source.rows - 1), of: Sample.self))
    }

    /// A sample combs if it lies beyond both neighbours of the other field, and so does the next one of its own above
    /// or below: a thin line in one row alone is a detail, teeth come in pairs.
    ///
    /// - Returns: Whether any does.
    private func findCombs(_ y: Int, _ combs: UnsafeMutableBufferPointer<Bool>) -> Bool {
        var found = false
        let (farAbove, farBelow) = unsafe ((row(y, -3), row(y, -2)), (row(y, 3), row(y, 2)))
        let (above, here, below) = unsafe (row(y, -1), row(y, 0), row(y, 1))
        for x in 0..<source.samples {
            let (value, over, under) = unsafe (Int(here[x]), Int(above[x]), Int(below[x]))
            let sign = value > over ? 1 : -1
            guard min((value - over) * sign, (value - under) * sign) > threshold else {
                unsafe combs[x] = false
                continue
            }
            let upper = unsafe (Int(farAbove.1[x]) - max(over * sign, Int(farAbove.0[x]) * sign) * sign) * sign
            let lower = unsafe (Int(farBelow.1[x]) - max(under * sign, Int(farBelow.0[x]) * sign) * sign) * sign
            let isComb = 2 * max(upper, lower) > threshold
            unsafe combs[x] = isComb
            found = found || isComb
        }
        return found
    }

    /// Interpolates what combs, with two samples to each side, where combs fade out.
    private func fill(_ y: Int, _ combs: [Bool]) {
        let to = unsafe target.row(y, of: Sample.self)
        let rows = unsafe Neighbours(
            higher: row(y, -3), above: row(y, -1), below: row(y, 1), lower: row(y, 3), count: source.samples, step: step
        )
        let reach = 2 * step
        var lastComb = -1
        for x in 0..<source.samples {
            let ahead = min(x + reach, source.samples - 1)
            if combs[ahead] { lastComb = ahead }
            if combs[x] { lastComb = max(lastComb, x) }
            guard lastComb >= 0, x - lastComb <= reach else { continue }
            unsafe to[x] = Sample(min(max(rows.interpolated(x), 0), peak))
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
