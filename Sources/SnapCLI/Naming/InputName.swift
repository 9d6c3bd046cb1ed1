import Snap

/// What the names of pictures take from the name of a video.
struct InputName: Sendable, Hashable {
    /// The folder that it lies in, without a final slash; of a URL its host and the folders of its path; `.` for the
    /// current folder, and for what has none.
    let folder: String
    /// The same as a folder in another one: without a slash at its start, and without `..`.
    var folderWithin: String {
        let folders = folder.split(separator: "/").filter { $0 != "." && $0 != ".." }
        return folders.isEmpty ? "." : folders.joined(separator: "/")
    }
    /// The file name.
    let name: String
    /// The file name without its extension.
    let stem: String

    /// The most bytes of a name that comes from a component of a URL.
    static let longestName = 120

    init(_ source: Source) {
        switch source {
        case .file:
            let (folder, name) = OutputFile.split(source.name)
            let trimmed = folder.count > 1 ? String(folder.dropLast()) : folder
            self.init(folder: trimmed.isEmpty ? "." : trimmed, name: name)
        case .url:
            let components = Self.components(ofURL: source.name)
            let folders = components.dropLast().map { Self.safeName($0) }.filter { !$0.isEmpty }
            let name = Self.safeName(components.last ?? "")
            self.init(
                folder: folders.isEmpty ? "." : folders.joined(separator: "/"), name: name.isEmpty ? "video" : name)
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

    /// The host of a URL, with its port, and the components of its path.
    private static func components(ofURL url: String) -> [Substring] {
        let afterScheme = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        var components = afterScheme.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
        if let authority = components.first { components[0] = authority.split(separator: "@").last ?? authority }
        return components
    }

    /// The name of a file or folder from a component of a URL; empty where nothing is left of it. Whoever made the URL must
    /// not lead out of a folder, hide the file, or write control characters to a terminal.
    private static func safeName(_ component: Substring) -> String {
        let scalars = decodingPercents(component).unicodeScalars.map { isSafe($0) ? $0 : "_" }
        var name = String(String.UnicodeScalarView(scalars))
        while name.utf8.count > longestName { name.removeFirst() }
        return String(name.drop { $0 == "." || $0 == "-" || $0 == " " })
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
