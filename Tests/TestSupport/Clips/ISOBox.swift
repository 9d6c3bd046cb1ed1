/// A box of an MP4 file (ISO/IEC 14496-12, 4.2), for tests that change one.
struct ISOBox {
    var type: String
    /// What is in it after its header, for a box without children.
    var payload: [UInt8] = []
    var children: [ISOBox] = []

    private static let containers: Set<String> = [
        "moov", "trak", "mdia", "minf", "dinf", "stbl", "edts", "moof", "traf",
    ]

    static func parse(_ bytes: ArraySlice<UInt8>) throws -> [ISOBox] {
        var boxes: [ISOBox] = []
        var rest = bytes
        while rest.count >= 8 {
            let first = rest.startIndex
            let size = (0..<4).reduce(0) { $0 << 8 | Int(rest[first + $1]) }
            let type = String(decoding: rest[first + 4..<first + 8], as: UTF8.self)
            guard size >= 8, size <= rest.count else { throw ProcessError("box \(type) has size \(size)") }
            let payload = rest[first + 8..<first + size]
            if containers.contains(type) {
                boxes.append(ISOBox(type: type, children: try parse(payload)))
            } else {
                boxes.append(ISOBox(type: type, payload: Array(payload)))
            }
            rest = rest[(first + size)...]
        }
        return boxes
    }

    var bytes: [UInt8] {
        let content = children.isEmpty ? payload : children.flatMap(\.bytes)
        return Self.bigEndian(content.count + 8, bytes: 4) + Array(type.utf8) + content
    }

    /// Changes every box at a path of types, such as `moov/trak/tkhd`.
    static func change(
        _ path: String, in boxes: inout [ISOBox], _ change: (inout ISOBox) throws -> Void
    ) rethrows {
        let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
        for i in boxes.indices where boxes[i].type == parts[0] {
            if parts.count == 1 {
                try change(&boxes[i])
            } else {
                try Self.change(parts[1], in: &boxes[i].children, change)
            }
        }
    }

    static func bigEndian(_ value: Int, bytes count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }
}
