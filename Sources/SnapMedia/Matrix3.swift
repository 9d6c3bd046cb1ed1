/// Three by three numbers, by rows.
struct Matrix3: Sendable, Hashable {
    var rows: (Row, Row, Row)
    typealias Row = SIMD3<Double>

    init(_ first: Row, _ second: Row, _ third: Row) { rows = (first, second, third) }

    init(diagonal: Row) { self.init([diagonal.x, 0, 0], [0, diagonal.y, 0], [0, 0, diagonal.z]) }

    static func * (matrix: Matrix3, vector: SIMD3<Double>) -> SIMD3<Double> {
        [(matrix.rows.0 * vector).sum(), (matrix.rows.1 * vector).sum(), (matrix.rows.2 * vector).sum()]
    }

    static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
        let columns = right.transposed.rows
        return Matrix3(left * columns.0, left * columns.1, left * columns.2).transposed
    }

    var transposed: Matrix3 {
        Matrix3(
            [rows.0.x, rows.1.x, rows.2.x], [rows.0.y, rows.1.y, rows.2.y], [rows.0.z, rows.1.z, rows.2.z])
    }

    /// By Cramer's rule. The determinant must not be 0; the primaries of real colour spaces never lie on a line.
    var inverse: Matrix3 {
        func cross(_ a: Row, _ b: Row) -> Row { [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x] }
        let (a, b, c) = rows
        let determinant = (a * cross(b, c)).sum()
        return Matrix3(cross(b, c) / determinant, cross(c, a) / determinant, cross(a, b) / determinant).transposed
    }

    static func == (left: Matrix3, right: Matrix3) -> Bool { left.rows == right.rows }

    func hash(into hasher: inout Hasher) {
        hasher.combine(rows.0)
        hasher.combine(rows.1)
        hasher.combine(rows.2)
    }
}
