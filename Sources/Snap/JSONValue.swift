import SnapBase

/// A JSON text in the making, with its keys in the order in which they are told.
///
/// Foundation's encoder would do, but shuffles keys, leaves out `null`, and costs a short command its start-up time.
package enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case string(String)
    case array([JSONValue])
    case object([(key: String, value: JSONValue)])

    package init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
    package init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }
    package init(_ value: String?) { self = value.map { .string($0) } ?? .null }
    package init(_ value: Bool?) { self = value.map { .bool($0) } ?? .null }

    /// On one line (RFC 8259).
    package var text: String {
        var out = ""
        write(into: &out)
        return out
    }

    /// As ``text``, but with bytes of paths that are no text as the scalars that stand for them: for another snap.
    package var textWithStrayBytes: String {
        var out = ""
        write(into: &out, keepingStrayBytes: true)
        return out
    }

    private func write(into out: inout String, keepingStrayBytes: Bool = false) {
        switch self {
        case .null: out += "null"
        case .bool(let value): out += value ? "true" : "false"
        case .integer(let value): out += String(value)
        case .string(let value): Self.quote(value, into: &out, keepingStrayBytes)
        case .array(let values):
            out += "["
            for (index, value) in values.enumerated() {
                if index > 0 { out += "," }
                value.write(into: &out, keepingStrayBytes: keepingStrayBytes)
            }
            out += "]"
        case .object(let members):
            out += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { out += "," }
                Self.quote(member.key, into: &out, false)
                out += ":"
                member.value.write(into: &out, keepingStrayBytes: keepingStrayBytes)
            }
            out += "}"
        }
    }

    private static func quote(_ value: String, into out: inout String, _ keepsStrayBytes: Bool) {
        out += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case _
            where scalar.value < 0x20 || scalar.value == 0x7f || scalar.value == 0x2028 || scalar.value == 0x2029:
                let digits = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            // JSON is text: see `path(_:_:)` for the bytes.
            case _ where scalar.strayByte != nil && !keepsStrayBytes: out += "\u{FFFD}"
            default: out.unicodeScalars.append(scalar)
            }
        }
        out += "\""
    }
}
