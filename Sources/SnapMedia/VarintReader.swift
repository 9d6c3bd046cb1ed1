/// Reads what ``VarintWriter`` wrote, or anything else: each call returns `nil` where the bytes are no such thing.
struct VarintReader {
    private let bytes: [UInt8]
    private var place: Int
    private let end: Int

    /// - Parameters:
    ///   - start: Where to begin; 0 or more.
    ///   - end: Where to stop; not beyond the last byte.
    init(_ bytes: [UInt8], from start: Int, to end: Int) {
        self.bytes = bytes
        place = start
        self.end = end
    }

    var isAtEnd: Bool { place == end }

    mutating func byte() -> UInt8? {
        guard place < end else { return nil }
        defer { place += 1 }
        return bytes[place]
    }

    mutating func number() -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: 0 as UInt64, through: 63, by: 7) {
            guard let byte = byte(), shift < 63 || byte < 2 else { return nil }
            number |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return number }
        }
        return nil
    }

    mutating func signed() -> Int64? {
        number().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
    }

    /// A text of at most 256 bytes.
    mutating func text() -> String? {
        guard let count = number(), count <= 256, count <= end - place else { return nil }
        defer { place += Int(count) }
        return String(validating: bytes[place..<place + Int(count)], as: UTF8.self)
    }

    mutating func fixed(bytes count: Int) -> UInt64? {
        var number: UInt64 = 0
        for shift in 0..<count {
            guard let byte = byte() else { return nil }
            number |= UInt64(byte) << (8 * UInt64(shift))
        }
        return number
    }
}
