/// Writes bits, the most significant first, as H.264 has them (ITU-T H.264, 7.2 and 9.1).
public struct BitWriter {
    public private(set) var bytes: [UInt8] = []
    private var used = 0

    public init() {}

    /// Whether the next bit begins a byte.
    public var isAligned: Bool { used == 0 }

    public mutating func add(_ value: Int, bits: Int) {
        for place in (0..<bits).reversed() {
            if used == 0 { bytes.append(0) }
            bytes[bytes.count - 1] |= UInt8(value >> place & 1) << UInt8(7 - used)
            used = (used + 1) % 8
        }
    }

    /// An Exp-Golomb code: `ue(v)`.
    public mutating func addUnsigned(_ value: Int) {
        let length = (value + 1).bitWidth - (value + 1).leadingZeroBitCount
        add(value + 1, bits: 2 * length - 1)
    }

    /// A signed Exp-Golomb code: `se(v)`.
    public mutating func addSigned(_ value: Int) { addUnsigned(value > 0 ? 2 * value - 1 : -2 * value) }

    public mutating func align() { while !isAligned { add(0, bits: 1) } }

    /// - Precondition: The next bit begins a byte.
    public mutating func add(_ whole: [UInt8]) { bytes += whole }

    /// `rbsp_trailing_bits()`.
    public mutating func end() {
        add(1, bits: 1)
        align()
    }
}
