/// The value of a Content-Range field (RFC 9110, 14.4): `bytes 0-99/1000`, `bytes 0-99/*`, `bytes */1000`.
struct ContentRange: Sendable, Hashable {
    /// The bytes that the body holds; `nil` in the answer to a range that can't be had.
    let bytes: Range<Int64>?
    /// The length of the whole; `nil` for `*`.
    let size: Int64?

    init?(_ value: String) {
        let words = value.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] == "*" {
            size = nil
        } else {
            guard let number = Self.number(parts[1]) else { return nil }
            size = number
        }
        if parts[0] == "*" {
            bytes = nil
        } else {
            let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
                size.map({ last < $0 }) ?? true
            else { return nil }
            bytes = first..<(last + 1)
        }
    }

    /// Digits only, and far from overflow.
    private static func number(_ text: Substring) -> Int64? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text) else { return nil }
        return number < 1 << 62 ? number : nil
    }
}
