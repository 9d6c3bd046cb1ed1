import Snap

/// One input of a batch, and what is to be done to it.
struct BatchItem: Sendable {
    /// The number of the input, counted from 0.
    let index: Int
    /// As it was named.
    let input: String
    /// The request for it without its id, as members of a JSON object.
    let request: String
    /// Of a URL; `nil` for a file.
    let host: String?
    /// Its own time limit for a picture, zero for none; `nil` for that of the batch.
    let timeout: Duration?

    /// The request as a worker reads it, without the end of the line.
    ///
    /// - Parameter version: Of the source, of which no pictures are wanted.
    func line(unless version: String? = nil) -> [UInt8] {
        let condition = version.map { ",\"unless\":\(JSONValue.string($0).text)" } ?? ""
        return Array("{\"id\":\(index),\(request)\(condition)}".utf8)
    }

    /// What it is called where people and files are told of it: without a password.
    var name: String { Source(input).name }

    init(index: Int, input: String) {
        self.init(
            index: index, input: input, timeout: nil,
            request: "\"source\":\(JSONValue.string(input).textWithStrayBytes)")
    }

    /// A job of a manifest.
    ///
    /// - Throws: ``SnapError`` with code `usage`.
    init(index: Int, job line: [UInt8]) throws(SnapError) {
        var members = try JSONInput.object(line)
        guard case .string(let source)? = members["source"], !source.isEmpty else {
            throw SnapError(.usage, "a job needs a source: a path or a URL")
        }
        members["id"] = nil
        if members.take("deliver") != nil {
            throw SnapError(.usage, "'deliver' is for snap worker; a batch writes files")
        }
        if members.take("unless") != nil {
            throw SnapError(.usage, "'unless' is for snap worker; a batch has --resume")
        }
        var timeout: Duration?
        switch members["timeout"] {
        case .string(let text), .number(let text): timeout = .milliseconds(try MediaTime(parsing: text).milliseconds)
        case .null:
            timeout = .milliseconds(try MediaTime(parsing: TypedOptions.plain.reading.timeout).milliseconds)
        default: break
        }
        let text = JSONInput.object(members).json.textWithStrayBytes
        self.init(index: index, input: source, timeout: timeout, request: String(text.dropFirst().dropLast()))
    }

    private init(index: Int, input: String, timeout: Duration?, request: String) {
        self.timeout = timeout
        self.index = index
        self.input = input
        self.request = request
        if case .url(let url) = Source(input) {
            let authority = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true).dropFirst().first
            host = (authority?.split(separator: "@").last).map { $0.lowercased() } ?? ""
        } else {
            host = nil
        }
    }

    /// What it is, to a journal: the same as long as the file, the options and snap are.
    ///
    /// - Parameters:
    ///   - identity: The options that make a picture another one.
    ///   - occurrence: How often the same was asked for before, in one batch.
    func fingerprint(_ identity: String, occurrence: Int = 0) -> Fingerprint {
        var print = Fingerprint(Version.current)
        print.add(identity)
        print.add(request)
        if host == nil, let file = FileIdentity(ofRegularFile: input) {
            print.add("\(file.length) \(file.modified)")
        }
        if occurrence > 0 { print.add("again \(occurrence)") }
        return print
    }
}

extension JSONInput {
    var json: JSONValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let text): Int64(text).map { .integer($0) } ?? .string(text)
        case .string(let text): .string(text)
        case .array(let values): .array(values.map(\.json))
        case .object(let members):
            .object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })
        }
    }
}
