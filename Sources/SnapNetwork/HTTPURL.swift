import CCurl
import SnapBase

/// A URL of http or https, taken apart by the same code that will connect to it, so that no two readings can differ.
package struct HTTPURL: Sendable, Hashable {
    /// Who may see what is sent along with a request (RFC 6454).
    package struct Origin: Sendable, Hashable {
        let scheme: String
        let host: String
        let port: String
    }

    /// As it is asked for: without user, password and fragment.
    package let text: String
    package let origin: Origin
    private let path: String
    private let query: String?
    /// From the URL's user part, with escapes resolved.
    let credentials: Credentials?

    struct Credentials: Sendable, Hashable {
        let user: String
        let password: String
    }

    package var host: String { origin.host }
    /// Whether the path ends like that of an HLS playlist.
    package var namesPlaylist: Bool { [".m3u8", ".m3u"].contains { path.lowercased().hasSuffix($0) } }

    /// The parameters of the query, by name, as they stand there; of a name that occurs twice, the first.
    package var queryParameters: [String: String] {
        let pairs = (query ?? "").split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
        return Dictionary(pairs) { first, _ in first }
    }
    package var isSecure: Bool { origin.scheme == "https" }

    /// The longest URL that is taken, in bytes.
    private static let maximumLength = 8192

    /// - Parameter text: An absolute URL. Spaces and letters beyond ASCII are escaped.
    /// - Throws: ``NetworkError``; ``NetworkError/Code/libraryMissing`` included, as this is where libcurl is loaded.
    package init(_ text: String) throws(NetworkError) { try self.init(text, base: nil) }

    /// The URL that a reference, such as a redirect's, means when it stands in what was read from this one.
    package func resolving(_ reference: String) throws(NetworkError) -> HTTPURL {
        try HTTPURL(reference, base: self.text)
    }

    /// The URL with more parameters in its query: `name=value`.
    package func appending(query items: [String]) throws(NetworkError) -> HTTPURL {
        try HTTPURL(text + (query == nil ? "?" : "&") + items.joined(separator: "&"))
    }

    private init(_ text: String, base: String?) throws(NetworkError) {
        try loadLibrary()
        guard text.utf8.count <= Self.maximumLength else {
            throw NetworkError(.unsupportedURL, "a URL is longer than \(Self.maximumLength) bytes")
        }
        guard let parts = URLParts() else { throw NetworkError(.internalFailure, "libcurl: out of memory") }
        if let base { try parts.set(base) }
        try parts.set(text)
        let scheme = parts.part(CURLUPART_SCHEME) ?? ""
        guard scheme == "http" || scheme == "https" else {
            throw NetworkError(.unsupportedURL, "\(scheme): only http and https URLs are opened")
        }
        guard let host = parts.part(CURLUPART_HOST), !host.isEmpty else {
            throw NetworkError(.unsupportedURL, "a URL names no host")
        }
        let port = parts.part(CURLUPART_PORT, flags: CURLU_DEFAULT_PORT) ?? ""
        origin = Origin(scheme: scheme, host: host.lowercased(), port: port)
        path = parts.part(CURLUPART_PATH) ?? "/"
        query = parts.part(CURLUPART_QUERY)
        let user = parts.part(CURLUPART_USER, flags: CURLU_URLDECODE)
        let password = parts.part(CURLUPART_PASSWORD, flags: CURLU_URLDECODE)
        credentials =
            user == nil && password == nil ? nil : Credentials(user: user ?? "", password: password ?? "")
        for secret in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_FRAGMENT] {
            parts.clear(secret)
        }
        guard let whole = parts.part(CURLUPART_URL) else {
            throw NetworkError(.unsupportedURL, "\(host): its URL can't be read")
        }
        self.text = whole
    }
}

extension HTTPURL: CustomStringConvertible {
    /// For people: where, without what may be secret. Queries are left out because signed URLs keep their keys there.
    package var description: String {
        let isUsual = origin.port == (isSecure ? "443" : "80")
        let query = query == nil ? "" : "?…"
        return "\(origin.scheme)://\(host)\(isUsual ? "" : ":\(origin.port)")\(path)\(query)"
    }
}

extension HTTPURL.Credentials: CustomStringConvertible {
    /// Nothing, for they are secret.
    var description: String { "…" }
}

extension NetworkError {
    /// A text that is no URL at all.
    package static let noURL = NetworkError(
        .unsupportedURL,
        "not a URL that can be opened: it must look like https://host/path (in a password, write / as %2F)")
}

/// Owns libcurl's URL handle.
@safe private struct URLParts: ~Copyable {
    private let handle: OpaquePointer

    init?() {
        guard let handle = unsafe ccurl_url() else { return nil }
        unsafe self.handle = unsafe handle
    }

    deinit { unsafe ccurl_url_cleanup(handle) }

    /// Sets the whole URL, or, where there is one, resolves against it. The corresponding C function is `curl_url_set`.
    func set(_ text: String) throws(NetworkError) {
        // Bytes that are no text are escaped as they were typed.
        let code = unsafe text.withPath {
            unsafe ccurl_url_set(handle, CURLUPART_URL, $0, UInt32(CURLU_URLENCODE | CURLU_NON_SUPPORT_SCHEME))
        }
        guard code == CURLUE_OK else { throw .noURL }
    }

    func clear(_ part: CURLUPart) { unsafe _ = ccurl_url_set(handle, part, nil, 0) }

    /// A part of the URL, or `nil` where it has none. The corresponding C function is `curl_url_get`.
    func part(_ part: CURLUPart, flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>? = nil
        guard unsafe ccurl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK, let found = unsafe text else {
            return nil
        }
        defer { unsafe ccurl_free(found) }
        return unsafe String(cString: found)
    }
}

/// Loads libcurl, the first time that it is called.
package func loadLibrary() throws(NetworkError) {
    guard let reason = unsafe ccurl_load() else { return }
    throw NetworkError(
        .libraryMissing,
        """
        URLs need libcurl, which could not be loaded (\(unsafe String(cString: reason))): \
        install the package libcurl4 (Debian, Ubuntu), libcurl (Fedora) or curl (Homebrew)
        """
    )
}
