import SnapBase

/// The attributes of a tag (RFC 8216, 4.2), by name.
struct AttributeList {
    private struct Value {
        let text: String
        let isQuoted: Bool
    }

    private var values: [String: Value] = [:]
    private let line: Int

    /// - Parameter substitute: Puts the values of variables into quoted strings and hexadecimal numbers.
    init(
        _ bytes: ArraySlice<UInt8>, line: Int, substitute: (String) throws(PlaylistError) -> String
    ) throws(PlaylistError) {
        self.line = line
        var rest = bytes
        while true {
            rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }
            guard !rest.isEmpty else { return }
            let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ",") }
            rest = rest.dropFirst(name.count)
            // A name alone says nothing; players pass over it.
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst()
            let value: Value
            if rest.first == UInt8(ascii: "\"") {
                let body = rest.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
                rest = rest.dropFirst(body.count + 1)
                guard rest.first == UInt8(ascii: "\"") else {
                    throw PlaylistError(.malformed, line: line, "a quoted value of the tag has no end")
                }
                rest = rest.dropFirst()
                value = Value(text: try substitute(String(decoding: body, as: UTF8.self)), isQuoted: true)
            } else {
                let body = rest.prefix { $0 != UInt8(ascii: ",") }
                rest = rest.dropFirst(body.count)
                var text = String(decoding: body, as: UTF8.self).trimmed
                if text.contains("{$") { text = try substitute(text) }
                value = Value(text: text, isQuoted: false)
            }
            let key = String(decoding: name, as: UTF8.self).trimmed
            guard values.updateValue(value, forKey: key) == nil else {
                throw PlaylistError(.malformed, line: line, "the attribute \(key) occurs twice")
            }
        }
    }

    /// A value as text, quoted or not; `nil` where it is missing.
    subscript(name: String) -> String? { values[name]?.text }

    func required(_ name: String, of tag: String) throws(PlaylistError) -> String {
        guard let text = self[name], !text.isEmpty else {
            throw PlaylistError(.malformed, line: line, "\(tag) lacks \(name)")
        }
        return text
    }

    func isYes(_ name: String) -> Bool { self[name] == "YES" }

    func integer(_ name: String) -> Int64? { self[name].flatMap { Int64($0) } }

    func seconds(_ name: String) -> MediaTime? { self[name].flatMap(MediaTime.init(decimal:)) }

    /// A size such as `1280x720`; `nil` also for what no picture has.
    func size(_ name: String) -> (width: Int, height: Int)? {
        let parts = (self[name] ?? "").split { $0 == "x" || $0 == "X" }
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
            (1...1 << 20).contains(width), (1...1 << 20).contains(height)
        else {
            return nil
        }
        return (width, height)
    }

    /// A hexadecimal number such as `0x9F`, as so many bytes, big-endian; `nil` where it is missing.
    func bytes(_ name: String, count: Int) throws(PlaylistError) -> [UInt8]? {
        guard let text = self[name] else { return nil }
        let digits = Array(text.utf8.dropFirst(2))
        guard text.lowercased().hasPrefix("0x"), !digits.isEmpty, digits.count <= 2 * count else {
            throw PlaylistError(.malformed, line: line, "\(name) is no hexadecimal number of \(count) bytes")
        }
        let padded = [UInt8](repeating: UInt8(ascii: "0"), count: 2 * count - digits.count) + digits
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: padded.count, by: 2) {
            guard let byte = UInt8(String(decoding: padded[index..<index + 2], as: UTF8.self), radix: 16) else {
                throw PlaylistError(.malformed, line: line, "\(name) is no hexadecimal number")
            }
            bytes.append(byte)
        }
        return bytes
    }
}

extension MediaTime {
    /// A decimal number of seconds, exact to a nanosecond: `4`, `4.004`, `-1.5`.
    init?(decimal text: some StringProtocol) {
        var digits = Array(text.utf8)[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        let parts = digits.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let isNumber = parts.allSatisfy { $0.allSatisfy { (48...57).contains($0) } }
        guard isNumber, let first = parts.first, first.count <= 15, digits.count > 0, digits.count != parts.count - 1
        else { return nil }
        let places = parts.count > 1 ? parts[1].prefix(9) : []
        func number(_ digits: ArraySlice<UInt8>) -> Int64 { digits.reduce(0) { $0 * 10 + Int64($1 - 48) } }
        let scale = places.reduce(Int64(1)) { scale, _ in scale * 10 }
        guard let fraction = MediaTime(number(places), over: scale) else { return nil }
        let value = MediaTime(seconds: number(first)) + fraction
        self = isNegative ? -value : value
    }
}

extension String {
    var trimmed: String {
        guard let first = utf8.firstIndex(where: { $0 > 32 }), let last = utf8.lastIndex(where: { $0 > 32 }) else {
            return ""
        }
        return String(self[first...last])
    }
}
