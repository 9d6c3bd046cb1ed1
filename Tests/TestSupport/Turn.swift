/// One of the eight ways in which an upright picture can be laid down.
public enum Turn: String, Sendable, CaseIterable {
    case none
    /// By 90° clockwise: the top edge becomes the right one.
    case clockwise
    /// By 180°.
    case half
    /// By 90° counterclockwise: the top edge becomes the left one.
    case counterclockwise
    /// Left and right exchanged.
    case mirrored
    /// Top and bottom exchanged.
    case flipped
    /// Reflected in the diagonal from the top left corner.
    case transposed
    /// Reflected in the diagonal from the top right corner.
    case transversed

    /// What undoes it.
    public var inverse: Turn {
        switch self {
        case .clockwise: .counterclockwise
        case .counterclockwise: .clockwise
        default: self
        }
    }

    public var exchangesSides: Bool {
        switch self {
        case .none, .half, .mirrored, .flipped: false
        case .clockwise, .counterclockwise, .transposed, .transversed: true
        }
    }

    /// The first two columns of the first two rows of a display matrix (ISO/IEC 14496-12, 8.3.2) that asks for this
    /// turn: x' = a·x + c·y, y' = b·x + d·y, with y downwards.
    public var matrix: (a: Int32, b: Int32, c: Int32, d: Int32) {
        switch self {
        case .none: (1, 0, 0, 1)
        case .clockwise: (0, 1, -1, 0)
        case .half: (-1, 0, 0, -1)
        case .counterclockwise: (0, -1, 1, 0)
        case .mirrored: (-1, 0, 0, 1)
        case .flipped: (1, 0, 0, -1)
        case .transposed: (0, 1, 1, 0)
        case .transversed: (0, -1, -1, 0)
        }
    }

    /// The size of a picture after the turn.
    public func size(width: Int, height: Int) -> (width: Int, height: Int) {
        exchangesSides ? (height, width) : (width, height)
    }

    /// Where a pixel of a picture of the given size lies after the turn.
    public func position(ofX x: Int, y: Int, width: Int, height: Int) -> (x: Int, y: Int) {
        let m = matrix
        let column = Int(m.a) * x + Int(m.c) * y
        let row = Int(m.b) * x + Int(m.d) * y
        // A negative factor counts from the far edge.
        let across = exchangesSides ? height : width
        let down = exchangesSides ? width : height
        return (m.a + m.c < 0 ? across - 1 + column : column, m.b + m.d < 0 ? down - 1 + row : row)
    }
}
