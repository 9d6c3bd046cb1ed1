/// How HTTP is spoken: limits, and what is sent along.
///
/// A proxy named by the environment (`http_proxy` and its kin) is not used: through one, the address policy would see
/// the proxy's address and not the server's.
package struct HTTPOptions: Sendable, Hashable {
    package struct Header: Sendable, Hashable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        var isCookie: Bool { name.lowercased() == "cookie" }
    }

    /// Sent to the origin (scheme, host and port) of the URL that the user typed, and to no other. Default: none.
    package var headers: [Header] = []

    /// What the User-Agent header says. Default: `snap`.
    package var userAgent: String

    /// Whether any address may be reached: private, loopback, link-local and the like. Default: false, which means
    /// what ``AddressPolicy`` says.
    package var allowsPrivateAddresses = false

    /// A file of certificate authorities (PEM) that are trusted instead of the system's. Default: `nil`.
    package var certificateFile: String?

    /// Whether a redirect from https to http is followed, where no secrets are sent. Default: true.
    package var followsToPlainHTTP = true

    /// Redirects followed for one request. Default: 5.
    package var maximumRedirects = 5

    /// For name look-up, connection and TLS. Default: 5 s.
    package var connectTimeout = Duration.seconds(5)

    /// From the request to the head of the response. Default: 8 s.
    package var firstByteTimeout = Duration.seconds(8)

    /// Between two pieces of the body. Default: 8 s.
    package var idleTimeout = Duration.seconds(8)

    /// Bytes that one source may read in its life; `nil` for no limit. Default: 1 GiB, which is far more than exact
    /// frames need where a server has byte ranges, and ends a stream without an end.
    package var maximumBytes: Int64? = 1 << 30

    /// The waits before a failed request is sent again, one for each retry, each made up to a quarter shorter or
    /// longer by chance. A Retry-After header prolongs them. Default: 0.25 s and 1 s.
    package var retryDelays: [Duration] = [.milliseconds(250), .seconds(1)]

    /// How many of these retries may follow a timeout, which has taken long already. Default: all.
    package var mostRetriesOfTimeouts = Int.max

    /// - Parameter version: Of snap, for the User-Agent header.
    package init(version: String? = nil) { userAgent = version.map { "snap/\($0)" } ?? "snap" }

    /// - Throws: ``NetworkError`` for a header that can't be sent; it names the header, not its value.
    func checkHeaders() throws(NetworkError) {
        for header in headers {
            guard !header.name.isEmpty, header.name.utf8.allSatisfy(Self.isToken) else {
                throw NetworkError(.invalidHeader, "a header's name is empty or holds characters that names can't have")
            }
            guard !header.value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
                throw NetworkError(.invalidHeader, "the value of header \(header.name) holds a line end or the like")
            }
            guard !Self.ownHeaders.contains(header.name.lowercased()) else {
                throw NetworkError(.invalidHeader, "header \(header.name) is set by snap itself: leave it out")
            }
        }
        guard !userAgent.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw NetworkError(.invalidHeader, "the user agent holds a line end or the like")
        }
    }

    private static let ownHeaders: Set = [
        "accept-encoding", "connection", "content-length", "if-range", "range", "te", "transfer-encoding", "upgrade",
        "user-agent",
    ]

    /// The characters of a header's name (RFC 9110, 5.6.2).
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

extension HTTPOptions.Header: CustomStringConvertible {
    /// Without the value, which may be a key.
    package var description: String { "\(name): …" }
}
