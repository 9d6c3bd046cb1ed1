import Snap

/// Where an option lies among those that can be typed, and what can be typed for it.
enum OptionPlace: Sendable {
    typealias Path<Value> = WritableKeyPath<TypedOptions, Value> & Sendable

    case text(any Path<String>)
    case optionalText(any Path<String?>)
    case number(any Path<Int>)
    case optionalNumber(any Path<Int?>)
    case flag(any Path<Bool>)
    case list(any Path<[String]>)
    case choice(Choice)

    /// One of a few words.
    struct Choice: Sendable {
        let words: [String]
        let get: @Sendable (TypedOptions) -> String
        /// - Returns: Whether there is such a word.
        let set: @Sendable (String, inout TypedOptions) -> Bool
    }

    static func choice<T: CaseIterable & RawRepresentable<String> & SendableMetatype>(_ path: any Path<T>)
        -> OptionPlace
    {
        .choice(
            Choice(
                words: T.allCases.map(\.rawValue), get: { $0[keyPath: path].rawValue },
                set: { word, options in
                    guard let value = T(rawValue: word) else { return false }
                    options[keyPath: path] = value
                    return true
                }))
    }

    /// What is there now.
    func value(in options: TypedOptions) -> JSONValue {
        switch self {
        case .text(let path): .string(options[keyPath: path])
        case .optionalText(let path): JSONValue(options[keyPath: path])
        case .number(let path): JSONValue(options[keyPath: path])
        case .optionalNumber(let path): JSONValue(options[keyPath: path])
        case .flag(let path): .bool(options[keyPath: path])
        case .list(let path): .array(options[keyPath: path].map { .string($0) })
        case .choice(let choice): .string(choice.get(options))
        }
    }

    /// Puts there what is there in other options.
    func copy(from other: TypedOptions, to options: inout TypedOptions) {
        switch self {
        case .text(let path): options[keyPath: path] = other[keyPath: path]
        case .optionalText(let path): options[keyPath: path] = other[keyPath: path]
        case .number(let path): options[keyPath: path] = other[keyPath: path]
        case .optionalNumber(let path): options[keyPath: path] = other[keyPath: path]
        case .flag(let path): options[keyPath: path] = other[keyPath: path]
        case .list(let path): options[keyPath: path] = other[keyPath: path]
        case .choice(let choice): _ = choice.set(choice.get(other), &options)
        }
    }

    /// - Parameter value: `null` stands for what is there where nothing was typed.
    /// - Throws: ``SnapError`` with code `usage` that says what can stand there.
    func set(_ value: JSONInput, in options: inout TypedOptions, _ name: String) throws(SnapError) {
        if case .string(let text) = value, text.utf8.contains(0) {
            throw SnapError(.usage, "'\(name)' can't hold a NUL")
        }
        switch (self, value) {
        case (_, .null): copy(from: .plain, to: &options)
        case (.text(let path), .string(let text)), (.text(let path), .number(let text)): options[keyPath: path] = text
        case (.optionalText(let path), .string(let text)), (.optionalText(let path), .number(let text)):
            options[keyPath: path] = text
        case (.number(let path), .number(let text)), (.number(let path), .string(let text)):
            options[keyPath: path] = try Self.integer(text, name)
        case (.optionalNumber(let path), .number(let text)), (.optionalNumber(let path), .string(let text)):
            options[keyPath: path] = try Self.integer(text, name)
        case (.flag(let path), .bool(let flag)): options[keyPath: path] = flag
        case (.list(let path), .string(let text)), (.list(let path), .number(let text)):
            options[keyPath: path] = [text]
        case (.list(let path), .array(let values)): options[keyPath: path] = try Self.texts(values, name)
        case (.choice(let choice), .string(let word)):
            guard choice.set(word, &options) else {
                throw SnapError(.usage, "'\(name)' is '\(word)'; there are \(choice.words.joined(separator: ", "))")
            }
        default: throw SnapError(.usage, "'\(name)' must be \(wanted)")
        }
    }

    private var wanted: String {
        switch self {
        case .text, .optionalText: "a string or a number"
        case .number, .optionalNumber: "a whole number"
        case .flag: "true or false"
        case .list: "a string or a list of strings"
        case .choice(let choice): "one of \(choice.words.joined(separator: ", "))"
        }
    }

    private static func integer(_ text: String, _ name: String) throws(SnapError) -> Int {
        guard let number = Int(text) else { throw SnapError(.usage, "'\(name)' is \(text): write a whole number") }
        return number
    }

    private static func texts(_ values: [JSONInput], _ name: String) throws(SnapError) -> [String] {
        var texts: [String] = []
        for value in values {
            switch value {
            case .string(let text), .number(let text): texts.append(text)
            default: throw SnapError(.usage, "'\(name)' must be a string or a list of strings")
            }
        }
        return texts
    }
}
