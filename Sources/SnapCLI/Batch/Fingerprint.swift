/// A number of 128 bits that stands for bytes: the same everywhere, and for no two different texts within a run.
///
/// FNV-1a (Fowler, Noll, Vo; draft-eastlake-fnv), which needs no library. It is no protection against somebody who wants
/// two texts to have the same one; then one of them is not done, and that is told.
struct Fingerprint: Sendable, Hashable {
    private(set) var high: UInt64 = 0x6c62_272e_07bb_0142
    private(set) var low: UInt64 = 0x62b8_2175_6295_c58d

    init(_ text: String) { add(text) }

    /// Adds a text, and that it ends.
    mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
        // No byte of UTF-8.
        add(0xff as UInt8)
    }

    private mutating func add(_ byte: UInt8) {
        // Times the prime 2^88 + 0x13b, modulo 2^128.
        let value = low ^ UInt64(byte)
        let product = value.multipliedFullWidth(by: 0x13b)
        high = high &* 0x13b &+ product.high &+ (value << 24)
        low = product.low
    }

    /// One of so many parts, from 0: as many texts to each.
    ///
    /// FNV-1a leaves what late characters do in a few bits, so that they are mixed first (the finalizer of MurmurHash3,
    /// A. Appleby).
    func part(of count: Int) -> Int {
        var value = low ^ high
        for factor: UInt64 in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] {
            value = (value ^ value >> 33) &* factor
        }
        return Int((value ^ value >> 33) % UInt64(count))
    }

    /// 32 hexadecimal digits.
    var text: String { Self.hex(high) + Self.hex(low) }

    /// - Returns: `nil` unless it is what ``text`` gives.
    init?(hex text: String) {
        guard text.utf8.count == 32, text.allSatisfy(\.isHexDigit), let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        (self.high, self.low) = (high, low)
    }

    private static func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
