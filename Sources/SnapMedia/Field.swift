import SnapBase

/// Every other row of a frame, taken at one instant.
enum Field {
    /// The rows 0, 2, 4 …
    case top
    /// The rows 1, 3, 5 …
    case bottom

    var other: Field { self == .top ? .bottom : .top }

    func holds(row: Int) -> Bool { (row & 1 == 0) == (self == .top) }

    var shown: ShownFields { self == .top ? .top : .bottom }
}
