/// A function of light as a table: 128 steps an octave from 2 to the -24 to 2 to the 6, with straight lines between.
///
/// A curve that is smooth on a logarithmic scale is met to some 1 part in 100,000.
struct LightTable: Sendable {
    private let values: [Float]

    // Computed, so that inner loops have numbers and need not ask whether they have been made yet.
    /// The bits of the significand below those that choose a step.
    private static var restBits: UInt32 { 16 }
    private static var lowest: Float { 0x1p-24 }
    private static var highest: Float { 0x1.fep5 }
    private static var first: UInt32 { lowest.bitPattern >> restBits }
    private static var last: UInt32 { highest.bitPattern >> restBits }

    init(_ function: (Double) -> Double) {
        values = (Self.first...Self.last + 1).map { step in
            Float(function(Double(Float(bitPattern: step << Self.restBits))))
        }
    }

    /// Calls `body` with the table ready for ``Reader/subscript(_:)``.
    @inline(__always)
    func withReader<Result>(_ body: (Reader) -> Result) -> Result {
        unsafe values.withUnsafeBufferPointer { unsafe body(Reader(values: $0)) }
    }

    /// The table, open for reading in an inner loop.
    @safe struct Reader {
        fileprivate let values: UnsafeBufferPointer<Float>

        /// What is outside of the table counts as its nearer end; not a number counts as the low end.
        @inline(__always)
        subscript(light: Float) -> Float {
            let clamped = light > lowest ? light < highest ? light : highest : lowest
            let bits = clamped.bitPattern
            let rest = Float(Int32(bitPattern: bits & (1 << restBits - 1))) * 0x1p-16
            let index = Int(bits >> restBits &- first)
            let (low, high) = unsafe (values[index], values[index + 1])
            return low + rest * (high - low)
        }
    }
}
