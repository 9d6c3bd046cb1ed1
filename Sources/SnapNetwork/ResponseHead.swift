/// The status line and fields of a response.
struct ResponseHead: Sendable, Hashable {
    private(set) var status = 0
    /// By names in lower case; of fields that occur twice, the first.
    private var fields: [String: String] = [:]
    /// All values of Content-Length, which must agree.
    private var lengths: Set<String> = []
    private(set) var isComplete = false
    private var byteCount = 0

    /// What a head may hold, in bytes.
    private static let maximumByteCount = 65_536

    /// Takes the next line, with its line end. Lines after the head (trailers) are ignored.
    ///
    /// - Returns: false when this is no head that can be used.
    mutating func take(line: String) -> Bool {
        guard !isComplete else { return true }
        byteCount += line.utf8.count
        guard byteCount <= Self.maximumByteCount else { return false }
        let text = line.trimmed
        if text.hasPrefix("HTTP/") {
            fields = [:]
            lengths = []
            let words = text.split(separator: " ", maxSplits: 2)
            guard words.count >= 2, let number = Int(words[1]), (100...999).contains(number) else { return false }
            status = number
        } else if text.isEmpty {
            isComplete = status >= 200  // an interim response (1xx) is followed by another one
        } else if let colon = text.firstIndex(of: ":") {
            let name = text[..<colon].lowercased()
            let value = String(text[text.index(after: colon)...].trimmed)
            if name == "content-length" { lengths.insert(value) }
            if fields[name] == nil { fields[name] = value }
        }
        return true
    }

    /// A field's value by its name in lower case.
    subscript(name: String) -> String? { fields[name] }

    /// The length of the body, or `nil` where the head doesn't say, or doesn't say it once.
    var contentLength: Int64? { lengths.count == 1 ? lengths.first.flatMap { Int64($0) } : nil }

    /// Whether the body is sent as it is.
    var isIdentity: Bool {
        guard let encoding = self["content-encoding"]?.lowercased() else { return true }
        return encoding.isEmpty || encoding == "identity"
    }

    /// Where a redirect leads, unresolved.
    var redirect: String? { [301, 302, 303, 307, 308].contains(status) ? self["location"] : nil }
}

extension StringProtocol {
    /// Without white space at both ends.
    var trimmed: SubSequence {
        let isSpace = { (character: Character) in character.isWhitespace }
        guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) }) else {
            return self[endIndex...]
        }
        return self[first...last]
    }
}
