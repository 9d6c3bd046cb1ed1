/// A chunk of a PNG file (PNG, third edition, 5.3).
struct PNGChunk {
    private let bytes: [UInt8]

    /// - Parameter type: Four letters.
    init(_ type: String, _ content: [UInt8]) {
        let checked = Array(type.utf8) + content
        bytes = BigEndian.word(UInt32(content.count)) + checked + BigEndian.word(Self.checksum(checked))
    }

    /// The signature is 8 bytes long, and the header, the first chunk, 25.
    func inserted(afterHeaderOf file: [UInt8]) -> [UInt8] { file.prefix(33) + bytes + file.dropFirst(33) }

    /// CRC-32 of ISO 3309, bit by bit: chunks made here are short.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
    }

    /// Fewer than 65,536 bytes as zlib writes them, stored as they are (RFC 1950; RFC 1951, 3.2.4).
    static func zlib(_ content: [UInt8]) -> [UInt8] {
        let count = UInt16(clamping: content.count)
        let sizes = [count, ~count].flatMap { BigEndian.half($0).reversed() }
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in content {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        return [0x78, 0x01, 1] + sizes + content + BigEndian.word(high << 16 | low)
    }
}
