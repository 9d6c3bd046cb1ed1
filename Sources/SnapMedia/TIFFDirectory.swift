/// A directory of fields in a TIFF file whose numbers have their high bytes first (TIFF 6.0, section 2).
struct TIFFDirectory {
    private enum Kind: UInt16 {
        case byte = 1
        case ascii = 2
        case long = 4
        case rational = 5
        case undefined = 7
    }

    private struct Field {
        let tag: UInt16
        let kind: Kind
        let count: Int
        let bytes: [UInt8]
    }

    private var fields: [Field] = []

    var isEmpty: Bool { fields.isEmpty }

    mutating func add(_ tag: UInt16, text: String) { add(tag, .ascii, Array(text.utf8) + [0], of: 1) }

    mutating func add(_ tag: UInt16, bytes: [UInt8]) { add(tag, .byte, bytes, of: 1) }

    mutating func add(_ tag: UInt16, undefined bytes: [UInt8]) { add(tag, .undefined, bytes, of: 1) }

    /// - Parameter place: From the start of the file.
    mutating func add(_ tag: UInt16, place: Int) { add(tag, .long, BigEndian.word(UInt32(place)), of: 4) }

    /// Fractions, above and below the line.
    mutating func add(_ tag: UInt16, rationals: [(UInt32, UInt32)]) {
        add(tag, .rational, rationals.flatMap { BigEndian.word($0.0) + BigEndian.word($0.1) }, of: 8)
    }

    private mutating func add(_ tag: UInt16, _ kind: Kind, _ bytes: [UInt8], of size: Int) {
        fields.append(Field(tag: tag, kind: kind, count: bytes.count / size, bytes: bytes))
    }

    /// - Parameter place: Where it will lie, from the start of the file.
    func bytes(at place: Int) -> [UInt8] {
        var entries = BigEndian.half(UInt16(fields.count))
        // Values of more than four bytes lie behind the directory.
        var values: [UInt8] = []
        let end = place + byteCountOfEntries
        for field in fields.sorted(by: { $0.tag < $1.tag }) {
            entries += BigEndian.half(field.tag) + BigEndian.half(field.kind.rawValue)
            entries += BigEndian.word(UInt32(field.count))
            if field.bytes.count <= 4 {
                entries += field.bytes + [UInt8](repeating: 0, count: 4 - field.bytes.count)
            } else {
                entries += BigEndian.word(UInt32(end + values.count))
                values += field.bytes + (field.bytes.count % 2 == 0 ? [] : [0])
            }
        }
        return entries + BigEndian.word(0) + values
    }

    /// Without the values behind it.
    private var byteCountOfEntries: Int { 2 + 12 * fields.count + 4 }
}
