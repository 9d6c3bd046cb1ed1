public import SnapBase
import SnapMedia
import SnapNetwork

/// Where a video comes from.
public enum Source: Sendable {
    /// A file; a pipe or device by its path is read like standard input.
    ///
    /// A path with bytes that are not UTF-8 is given as such to ``file(pathBytes:)``. In the text of that source, and of
    /// the errors and receipts that name it, a byte 0xNN of them is the scalar U+10FFNN, 0xFF being U+10FFFF; a text that
    /// holds such scalars names the file with those bytes.
    case file(String)
    /// `http://` or `https://`.
    case url(String)
    /// What comes through standard input. It is kept in a temporary file as far as it was read.
    case standardInput
    /// Bytes that are in memory.
    case bytes([UInt8])
    /// A byte source of the caller's.
    ///
    /// - Parameters:
    ///   - name: What errors and receipts call it.
    ///   - make: Called once, on the thread that will read. The interrupt tells a source that waits when to give up.
    case custom(name: String, make: @Sendable (Interrupt) throws -> any ByteSource)

    /// What was typed: `-` is standard input, `http://` and `https://` start a URL, all else is a path.
    public init(_ argument: String) {
        let scheme = argument.prefix(8).lowercased()
        if argument == "-" {
            self = .standardInput
        } else if scheme.hasPrefix("http://") || scheme.hasPrefix("https://") {
            self = .url(argument)
        } else {
            self = .file(argument)
        }
    }

    /// A file whose path need not be UTF-8, as the system gives it.
    ///
    /// - Parameter pathBytes: Without a zero at the end.
    public static func file(pathBytes: [UInt8]) -> Source { .file(String(pathBytes: pathBytes)) }

    /// What errors and receipts call it. User and password of a URL are left out, of one that can't be opened, too.
    public var name: String {
        switch self {
        case .file(let text), .url(let text): Self.withoutCredentials(text)
        case .standardInput: "standard input"
        case .bytes: "bytes in memory"
        case .custom(let name, _): name
        }
    }

    /// Loads the libraries that sources are read with, libcurl first if there is a URL, as its answer is waited for while the
    /// others load. Whatever goes wrong is said when a source is opened.
    package static func loadLibraries(for sources: some Sequence<Source>) {
        for case .url in sources { try? SnapNetwork.loadLibrary() }
        try? Libraries.load()
    }

    /// Whether a text begins as URLs do, with a scheme (RFC 3986, 3.1) and `://`.
    static func looksLikeURL(_ text: String) -> Bool {
        guard let slashes = text.range(of: "://"), text.first?.isLetter == true else { return false }
        let scheme = text[..<slashes.lowerBound]
        return scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// They end at the last `@` before the path. A `/`, `?` or `#` in a password has to be escaped; where it is not, what
    /// comes before it is no host, and they end at the last `@` of all.
    private static func withoutCredentials(_ text: String) -> String {
        // Of most, this is asked many times for nothing.
        guard text.utf8.contains(UInt8(ascii: "@")), let rest = afterScheme(text) else { return text }
        guard let at = (hasHost(text) ? authority(of: rest) : rest).lastIndex(of: "@") else { return text }
        let scalars = text.unicodeScalars
        return String(scalars[..<rest.startIndex]) + String(scalars[scalars.index(after: at)...])
    }

    /// Whether there is a host behind `://` and the user, with a port or without.
    static func hasHost(_ text: String) -> Bool {
        guard let rest = afterScheme(text) else { return false }
        let authority = authority(of: rest)
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        let name = host.first == "[" ? host.prefix { $0 != "]" } : host.prefix { $0 != ":" }
        let port = host.dropFirst(name.count).drop { $0 == "]" }
        let isPort = port.first == ":" && 2...6 ~= port.count && port.dropFirst().allSatisfy { "0"..."9" ~= $0 }
        return !name.isEmpty && (port.isEmpty || isPort)
    }

    /// What comes behind `://`; `nil` where there is none. Not by characters: one that begins with a combining mark would
    /// hide an `@` before it.
    private static func afterScheme(_ text: String) -> Substring.UnicodeScalarView? {
        let scalars = text[...].unicodeScalars
        return scalars.firstRange(of: "://".unicodeScalars).map { scalars[$0.upperBound...] }
    }

    /// User, host and port (RFC 3986, 3.2).
    private static func authority(of rest: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
        rest.prefix { !["/", "?", "#"].contains($0) }
    }
}

extension StringProtocol {
    /// The first place where a text stands.
    func range(of text: String) -> Range<Index>? { self.ranges(of: text).first }
}
