/// How decoded pixels are turned and mirrored to stand upright: one of the eight ways to lay a rectangle.
package enum Orientation: String, Sendable, Hashable, CaseIterable {
    case upright
    /// Turned by 90 degrees clockwise.
    case clockwise90
    case rotated180
    /// Turned by 270 degrees clockwise.
    case clockwise270
    /// Left and right exchanged.
    case mirrored
    /// Top and bottom exchanged.
    case flipped
    /// Mirrored along the diagonal from the top left: rows become columns.
    case transposed
    /// Mirrored along the diagonal from the top right.
    case transversed

    /// Where the unit vectors to the right and down go, as (x, y) each, y downwards.
    private var axes: (right: (Int, Int), down: (Int, Int)) {
        switch self {
        case .upright: ((1, 0), (0, 1))
        case .clockwise90: ((0, 1), (-1, 0))
        case .rotated180: ((-1, 0), (0, -1))
        case .clockwise270: ((0, -1), (1, 0))
        case .mirrored: ((-1, 0), (0, 1))
        case .flipped: ((1, 0), (0, -1))
        case .transposed: ((0, 1), (1, 0))
        case .transversed: ((0, -1), (-1, 0))
        }
    }

    /// Whether width and height are exchanged.
    package var swapsSides: Bool { axes.right.0 == 0 }

    /// The clockwise turn in degrees that follows the mirroring (left to right), if any.
    package var clockwiseDegrees: Int {
        switch self {
        case .upright, .mirrored: 0
        case .clockwise90, .transversed: 90
        case .rotated180, .flipped: 180
        case .clockwise270, .transposed: 270
        }
    }

    /// Whether it shows the video's mirror image.
    package var isMirrored: Bool { axes.right.0 * axes.down.1 - axes.right.1 * axes.down.0 < 0 }

    /// Reads a display matrix: nine numbers by rows, the linear part in 16.16 fixed point, as MP4 and FFmpeg have it
    /// (`AV_PKT_DATA_DISPLAYMATRIX`). Scale and translation do not matter.
    ///
    /// A matrix that is no quarter turn (by more than a degree), or sheared, gives the nearest one and `isApproximate`;
    /// one that collapses the picture gives ``upright``.
    ///
    /// - Returns: `nil` unless there are nine numbers.
    package static func nearest(toDisplayMatrix matrix: [Int32]) -> (orientation: Orientation, isApproximate: Bool)? {
        guard matrix.count == 9 else { return nil }
        // A point (x, y) goes to (m0 x + m3 y, m1 x + m4 y): the columns of that map are the images of the axes.
        guard let right = unit(matrix[0], matrix[1]), let down = unit(matrix[3], matrix[4]) else {
            return (.upright, true)
        }
        func likeness(_ orientation: Orientation) -> Double {
            let (r, d) = orientation.axes
            return right.0 * Double(r.0) + right.1 * Double(r.1) + down.0 * Double(d.0) + down.1 * Double(d.1)
        }
        var best = Orientation.upright
        for candidate in allCases where likeness(candidate) > likeness(best) { best = candidate }
        return (best, likeness(best) < 2 * cosineOfOneDegree)
    }

    private static let cosineOfOneDegree = 0.99985

    private static func unit(_ x: Int32, _ y: Int32) -> (Double, Double)? {
        let length = (Double(x) * Double(x) + Double(y) * Double(y)).squareRoot()
        return length > 0 ? (Double(x) / length, Double(y) / length) : nil
    }

    /// Where the pixel (x, y) of a `width` by `height` picture goes.
    package func destination(x: Int, y: Int, width: Int, height: Int) -> (x: Int, y: Int) {
        let (right, down) = axes
        func place(_ a: Int, _ b: Int) -> Int {
            let offset = (a < 0 ? width - 1 : 0) + (b < 0 ? height - 1 : 0)
            return a * x + b * y + offset
        }
        return (place(right.0, down.0), place(right.1, down.1))
    }
}
