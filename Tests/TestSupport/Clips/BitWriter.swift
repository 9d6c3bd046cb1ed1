/// Writes bits, the most significant first, as H.264 has them (ITU-T H.264, 7.2 and 9.1).
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var used = 0

    /// Whether the next bit begins a byte.
    var isAligned: Bool { used == 0 }

    mutating func add(_ value: Int, bits: Int) {
        for place in (0..<bits).reversed() {
            if used == 0 { bytes.append(0) }
            bytes[bytes.count - 1] |= UInt8(value >> place & 1) << UInt8(7 - used)
            used = (used + 1) % 8
        }
    }

    /// An Exp-Golomb code: `ue(v)`.
    mutating func addUnsigned(_ value: Int) {
        let length = (value + 1).bitWidth - (value + 1).leadingZeroBitCount
        add(value + 1, bits: 2 * length - 1)
    }

    mutating func align() { while !isAligned { add(0, bits: 1) } }

    /// - Precondition: The next bit begins a byte.
    mutating func add(_ whole: [UInt8]) { bytes += whole }

    /// `rbsp_trailing_bits()`.
    mutating func end() {
        add(1, bits: 1)
        align()
    }
}
