/// What EXT-X-DEFINE names, and how `{$name}` is replaced.
struct Variables {
    private(set) var values: [String: String] = [:]
    private let context: PlaylistContext

    init(_ context: PlaylistContext) { self.context = context }

    /// Takes an EXT-X-DEFINE tag.
    mutating func define(_ attributes: AttributeList, line: Int) throws(PlaylistError) {
        let (name, value): (String, String?)
        if let own = attributes["NAME"] {
            (name, value) = (own, attributes["VALUE"] ?? "")
        } else if let imported = attributes["IMPORT"] {
            (name, value) = (imported, context.importedVariables[imported])
        } else if let parameter = attributes["QUERYPARAM"] {
            (name, value) = (parameter, context.queryParameters[parameter])
        } else {
            throw PlaylistError(.malformed, line: line, "EXT-X-DEFINE lacks NAME, IMPORT or QUERYPARAM")
        }
        guard let value else {
            throw PlaylistError(
                .undefinedVariable, line: line,
                "the variable \(name) comes from elsewhere, and nothing there defines it")
        }
        guard values.count < context.limits.variables else {
            throw PlaylistError(.tooLarge, line: line, "more than \(context.limits.variables) variables")
        }
        guard values.updateValue(value, forKey: name) == nil else {
            throw PlaylistError(.malformed, line: line, "the variable \(name) is defined twice")
        }
    }

    /// A text with the values of its variables. Values are not looked at again, so that none can grow.
    func substituted(_ text: String, line: Int) throws(PlaylistError) -> String {
        guard text.utf8.contains(UInt8(ascii: "{")), text.contains("{$") else { return text }
        var result = ""
        var rest = Substring(text)
        while let start = rest.firstRange(of: "{$") {
            result += rest[..<start.lowerBound]
            let behind = rest[start.upperBound...]
            let name = behind.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
            guard !name.isEmpty, behind.dropFirst(name.count).first == "}" else {
                result += "{$"
                rest = behind
                continue
            }
            guard let value = values[String(name)] else {
                throw PlaylistError(.undefinedVariable, line: line, "the variable \(name) is not defined")
            }
            result += value
            guard result.utf8.count <= context.limits.lineByteCount else {
                throw PlaylistError(
                    .tooLarge, line: line,
                    "with its variables, a value is longer than \(context.limits.lineByteCount) bytes")
            }
            rest = behind.dropFirst(name.count + 1)
        }
        return result + rest
    }
}

extension Substring {
    /// The first place where a text stands, found byte by byte.
    fileprivate func firstRange(of text: StaticString) -> Range<Index>? {
        let wanted = text.withUTF8Buffer { Array($0) }
        let bytes = Array(utf8)
        guard bytes.count >= wanted.count else { return nil }
        for start in 0...(bytes.count - wanted.count) where bytes[start..<start + wanted.count].elementsEqual(wanted) {
            let lower = utf8.index(startIndex, offsetBy: start)
            return lower..<utf8.index(lower, offsetBy: wanted.count)
        }
        return nil
    }
}
