import Snap

/// The path of a picture, with places for what differs: `shots/{stem}-{index:04}.jpg`.
struct NameTemplate: Sendable, Hashable {
    /// What may stand between braces.
    enum Field: String, Sendable, Hashable, CaseIterable {
        case stem, name, dir, index, time, ms, width, height, ext

        /// Whether it is a number, which may be filled with zeros.
        var isNumber: Bool {
            switch self {
            case .index, .ms, .width, .height: true
            case .stem, .name, .dir, .time, .ext: false
            }
        }
    }

    enum Part: Sendable, Hashable {
        case text(String)
        /// With the least number of digits.
        case field(Field, digits: Int)
    }

    let parts: [Part]

    /// The name where none was asked for: it holds the time, so that it can't be somebody's own photo.
    static let implied = NameTemplate(parts: [
        .field(.stem, digits: 0), .text("-"), .field(.time, digits: 0), .text("."), .field(.ext, digits: 0),
    ])

    /// The implied name in a folder, which is taken as it stands.
    static func implied(in folder: String) -> NameTemplate {
        NameTemplate(parts: [.text(folder.hasSuffix("/") ? folder : folder + "/")] + implied.parts)
    }

    init(parts: [Part]) { self.parts = parts }

    /// Reads a template. `{{` and `}}` are braces; `%` means nothing.
    ///
    /// - Throws: ``SnapError`` with code `usage` that lists the fields.
    init(_ text: String) throws(SnapError) {
        var parts: [Part] = []
        var literal = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            if character == "{" || character == "}", rest.first == character {
                rest.removeFirst()
                literal.append(character)
            } else if character == "{" {
                guard let end = rest.firstIndex(of: "}") else {
                    throw SnapError(.usage, "'\(text)' has a { without its } (write {{ for a brace)")
                }
                if !literal.isEmpty { parts.append(.text(literal)) }
                literal = ""
                parts.append(try Self.field(rest[..<end]))
                rest = rest[rest.index(after: end)...]
            } else if character == "}" {
                throw SnapError(.usage, "'\(text)' has a } without its { (write }} for a brace)")
            } else {
                literal.append(character)
            }
        }
        if !literal.isEmpty { parts.append(.text(literal)) }
        self.parts = parts
    }

    private static func field(_ text: Substring) throws(SnapError) -> Part {
        let pieces = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let field = pieces.first.flatMap({ Field(rawValue: String($0)) }) else {
            let known = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")
            throw SnapError(.usage, "{\(text)} is not a field of names; there are \(known) (write {{ for a brace)")
        }
        guard pieces.count == 2 else { return .field(field, digits: 0) }
        guard field.isNumber else { throw SnapError(.usage, "{\(field.rawValue)} takes no number of digits") }
        guard pieces[1].allSatisfy({ "0"..."9" ~= $0 }), let digits = Int(pieces[1]), 1...20 ~= digits else {
            throw SnapError(.usage, "{\(text)}: write the number of digits, as in {\(field.rawValue):04}")
        }
        return .field(field, digits: digits)
    }

    // MARK: What it says before it is filled in

    /// Whether two pictures of one video can have different names.
    var differsByPicture: Bool { mentions([.index, .time, .ms]) }

    /// Whether pictures of two videos can have different names.
    var differsByVideo: Bool { mentions([.stem, .name, .dir]) }

    /// Whether it ends with a slash: a folder.
    var isFolder: Bool {
        if case .text(let text) = parts.last { text.hasSuffix("/") } else { false }
    }

    /// The implied name in the folder that this template names.
    var withImpliedName: NameTemplate { NameTemplate(parts: parts + Self.implied.parts) }

    /// The format that the extension stands for.
    enum Extension: Sendable, Hashable {
        case jpeg
        case png
        /// `{ext}`: whatever the format is.
        case any
        /// Something else, or nothing; with the text.
        case unknown(String)
    }

    var fileExtension: Extension {
        guard case .text(let text) = parts.last else {
            if case .field(.ext, _) = parts.last { return .any }
            return .unknown("")
        }
        let name = text.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return .unknown("") }
        switch name[dot...].lowercased() {
        case ".jpg", ".jpeg": return .jpeg
        case ".png": return .png
        default: return .unknown(String(name[dot...]))
        }
    }

    private func mentions(_ fields: Set<Field>) -> Bool {
        parts.contains { part in
            if case .field(let field, _) = part { fields.contains(field) } else { false }
        }
    }
}
