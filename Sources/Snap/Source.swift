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

    /// What errors and receipts call it. A password in a URL is left out.
    public var name: String {
        switch self {
        case .file(let path): path
        case .url(let url): Self.withoutCredentials(url)
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

    private static func withoutCredentials(_ url: String) -> String {
        guard let slashes = url.range(of: "://") else { return url }
        let authorityEnd = url[slashes.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        guard let at = url[slashes.upperBound..<authorityEnd].lastIndex(of: "@") else { return url }
        return String(url[..<slashes.upperBound] + url[url.index(after: at)...])
    }
}

extension StringProtocol {
    /// The first place where a text stands.
    func range(of text: String) -> Range<Index>? { self.ranges(of: text).first }
}
