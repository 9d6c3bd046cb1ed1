/// Bits of a header, from the highest of the first byte on: what the standards write as `f(n)` and `u(n)`.
struct BitReader {
    private let bytes: [UInt8]
    private var position = 0
    /// Whether more was read than there is; all of that is 0.
    private(set) var isPastEnd = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// - Parameter count: 0 to 32 bits.
    mutating func bits(_ count: Int) -> Int {
        guard position + count <= bytes.count * 8 else {
            isPastEnd = true
            position = bytes.count * 8
            return 0
        }
        var value = 0
        for _ in 0..<count {
            value = value << 1 | Int(bytes[position >> 3] >> (7 - UInt8(position & 7)) & 1)
            position += 1
        }
        return value
    }

    mutating func flag() -> Bool { bits(1) == 1 }

    /// To the start of a byte.
    mutating func align() { position = (position + 7) / 8 * 8 }

    /// What H.264 writes as `ue(v)`: as many bits behind a one as there are zeros before it. 0 where there are over 31, and
    /// past the end.
    mutating func exponential() -> Int {
        var count = 0
        while !isPastEnd, !flag() { count += 1 }
        guard count < 32, !isPastEnd else { return 0 }
        return (1 << count) - 1 + bits(count)
    }

    /// What H.264 writes as `se(v)`.
    mutating func signedExponential() -> Int {
        let value = exponential()
        return value % 2 == 1 ? (value + 1) / 2 : -value / 2
    }

    mutating func skip(_ count: Int) { _ = bits(count) }

    /// Skips what AV1 writes as `uvlc()`: as many zeros as bits follow behind a one.
    mutating func skipVariableLength() {
        var count = 0
        while count < 32, !isPastEnd, !flag() { count += 1 }
        if count < 32 { skip(count) }
    }
}
