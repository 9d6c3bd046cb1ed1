import FoundationEssentials
import Snap

/// A value that came as JSON (RFC 8259).
enum JSONInput: Sendable, Decodable {
    case null
    case bool(Bool)
    /// As it would be typed.
    case number(String)
    case string(String)
    case array([JSONInput])
    case object([String: JSONInput])

    init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: Key.self) {
            var object: [String: JSONInput] = [:]
            for key in members.allKeys { object[key.stringValue] = try members.decode(JSONInput.self, forKey: key) }
            self = .object(object)
        } else if var elements = try? decoder.unkeyedContainer() {
            var array: [JSONInput] = []
            while !elements.isAtEnd { array.append(try elements.decode(JSONInput.self)) }
            self = .array(array)
        } else {
            let value = try decoder.singleValueContainer()
            if let text = try? value.decode(String.self) {
                self = .string(text)
            } else if let number = try? value.decode(Int64.self) {
                self = .number(String(number))
            } else if let flag = try? value.decode(Bool.self) {
                self = .bool(flag)
            } else if value.decodeNil() {
                self = .null
            } else {
                self = .number(Self.text(of: try value.decode(Double.self)))
            }
        }
    }

    /// A number without an exponent, which nobody types: 0.00005 where Swift writes 5e-05.
    private static func text(of number: Double) -> String {
        let parts = String(number).split(separator: "e")
        guard parts.count == 2, let exponent = Int(parts[1]), exponent < 0 else { return String(number) }
        let digits = parts[0].filter { $0 != "-" && $0 != "." }
        return (number < 0 ? "-" : "") + "0." + String(repeating: "0", count: -exponent - 1) + digits
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    var isNull: Bool { if case .null = self { true } else { false } }

    /// Reads a JSON object.
    ///
    /// - Throws: ``SnapError`` with code `usage`.
    static func object(_ text: some Sequence<UInt8>) throws(SnapError) -> [String: JSONInput] {
        let value: JSONInput
        do { value = try JSONDecoder().decode(JSONInput.self, from: Data(text)) } catch {
            throw SnapError(.usage, "the line is not JSON")
        }
        guard case .object(let members) = value else { throw SnapError(.usage, "the line is not a JSON object") }
        return members
    }
}
