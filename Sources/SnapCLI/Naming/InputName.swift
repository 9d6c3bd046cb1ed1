import Snap

/// What the names of pictures take from the name of a video.
struct InputName: Sendable, Hashable {
    /// The folder that it lies in, without a final slash; `.` for the current one, and for what is no file.
    let folder: String
    /// The file name.
    let name: String
    /// The file name without its extension.
    let stem: String

    /// The most bytes of a name that comes from a URL.
    static let longestName = 120

    init(_ source: Source) {
        switch source {
        case .file:
            let (folder, name) = OutputFile.split(source.name)
            let trimmed = folder.count > 1 ? String(folder.dropLast()) : folder
            self.init(folder: trimmed.isEmpty ? "." : trimmed, name: name)
        case .url: self.init(folder: ".", name: Self.safeName(ofURL: source.name))
        case .standardInput: self.init(folder: ".", name: "stdin")
        case .bytes, .custom: self.init(folder: ".", name: "video")
        }
    }

    private init(folder: String, name: String) {
        self.folder = folder
        self.name = name
        let scalars = name.unicodeScalars
        if let dot = scalars.lastIndex(of: "."), dot != scalars.startIndex {
            stem = String(scalars[..<dot])
        } else {
            stem = name
        }
    }

    /// A file name from the last component of a URL's path, or its host: whoever made the URL must not choose a
    /// folder, hide the file, or write control characters to a terminal.
    static func safeName(ofURL url: String) -> String {
        let afterScheme = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let hierarchy = afterScheme.prefix { $0 != "?" && $0 != "#" }
        let components = hierarchy.split(separator: "/")
        let host = components.first.map { $0.split(separator: "@").last ?? $0 } ?? ""
        let last = components.count > 1 ? components[components.count - 1] : host
        var name = String(String.UnicodeScalarView(decodingPercents(last).unicodeScalars.map { isSafe($0) ? $0 : "_" }))
        name = String(name.drop { $0 == "." || $0 == "-" || $0 == " " })
        while name.utf8.count > longestName { name.removeFirst() }
        return name.isEmpty ? "video" : name
    }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        if "/\\:".unicodeScalars.contains(scalar) { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate: return false
        default: return true
        }
    }

    /// RFC 3986, section 2.1; what is no UTF-8 then becomes U+FFFD.
    private static func decodingPercents(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                rest.first != UInt8(ascii: "+")
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
