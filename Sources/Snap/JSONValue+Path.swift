import SnapBase

extension JSONValue {
    /// The members that tell a path: its text, and, where bytes of it are no text, all its bytes in base64 behind that.
    ///
    /// - Parameter key: Of the text; that of the bytes is the same with `Bytes`.
    package static func path(_ key: String, _ path: String?) -> [(key: String, value: JSONValue)] {
        let text = (key, JSONValue(path))
        guard let path, path.holdsStrayBytes else { return [text] }
        return [text, (key + "Bytes", .string(path.pathBytes.base64))]
    }
}

extension [UInt8] {
    /// In the alphabet of RFC 4648, section 4, with padding.
    fileprivate var base64: String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var digits: [UInt8] = []
        for start in stride(from: 0, to: count, by: 3) {
            let group = self[start..<Swift.min(start + 3, count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                digits.append(place > group.count ? UInt8(ascii: "=") : alphabet[bits >> (6 * (3 - place)) & 63])
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }
}
