/// Writes numbers in groups of seven bits, the lowest first; each byte but the last has its high bit set.
struct VarintWriter {
    var bytes: [UInt8] = []

    mutating func add(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// With the sign in the lowest bit, so that small numbers are short whatever their sign.
    mutating func add(signed number: Int64) { add(UInt64(bitPattern: number << 1 ^ number >> 63)) }

    /// Behind its length in bytes.
    mutating func add(text: String) {
        add(UInt64(text.utf8.count))
        bytes += text.utf8
    }

    /// The lowest bytes of a number, the lowest first.
    mutating func add(fixed number: UInt64, bytes count: Int) {
        for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(place)))) }
    }
}
