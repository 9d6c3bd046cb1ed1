import SnapNetwork

/// Where a part of a stream is: what a reference in a playlist means.
enum StreamAddress: Sendable, Hashable {
    case url(HTTPURL)
    /// A path without symbolic links and dots.
    case file(String)
    /// The bytes themselves, of a `data:` URL.
    case inline([UInt8])

    /// For people, without secrets.
    var name: String {
        switch self {
        case .url(let url): url.description
        case .file(let path): path
        case .inline: "a data: URL"
        }
    }
}

extension StreamAddress {
    /// The same with more parameters; `nil` for what has no server.
    func appending(query: [String]) throws -> StreamAddress? {
        guard case .url(let url) = self else { return nil }
        return .url(try url.appending(query: query))
    }

    /// The bytes of a `data:` URL (RFC 2397); `nil` where it is not one that can be read.
    static func inlineBytes(_ url: String) -> [UInt8]? {
        guard let body = url.dropping(prefix: "data:"), let comma = body.firstIndex(of: ",") else { return nil }
        let data = body[body.index(after: comma)...]
        return body[..<comma].lowercased().hasSuffix(";base64") ? base64(data) : Array(data.percentDecoded)
    }

    private static func base64(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (bits, width): (UInt32, Int) = (0, 0)
        for byte in text.percentDecoded where byte != UInt8(ascii: "=") {
            let value: UInt8
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - UInt8(ascii: "a") + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0") + 52
            case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
            case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
            default: return nil
            }
            (bits, width) = (bits << 6 | UInt32(value), width + 6)
            if width >= 8 {
                width -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(width)))
            }
        }
        return bytes
    }
}

extension StringProtocol {
    /// With `%XX` escapes resolved (RFC 3986, 2.1).
    var percentDecoded: [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
