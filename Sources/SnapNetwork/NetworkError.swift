/// Why bytes could not be had from the network.
///
/// Sentences name the host and path, never a password, a query, or the value of a header.
package struct NetworkError: Error, Sendable, Hashable {
    package enum Code: Sendable, Hashable {
        /// Not a URL, or not one of http or https.
        case unsupportedURL
        /// A header given by the caller that can't be sent.
        case invalidHeader
        /// libcurl is not installed, or is not usable.
        case libraryMissing
        /// The host has no address.
        case couldNotResolve
        /// No address of the host takes connections.
        case couldNotConnect
        /// TLS failed, a certificate for another name or another time included.
        case tls
        /// The server's certificate is vouched for by nobody who is trusted.
        case untrustedCertificate
        /// The address policy forbids the address; see ``AddressPolicy``.
        case refusedAddress
        /// A status that is neither the bytes nor a redirect.
        case httpStatus(Int)
        case tooManyRedirects
        /// A redirect that would carry secrets from https to http, or leads out of HTTP.
        case refusedRedirect
        case timedOut(Stage)
        /// ``HTTPOptions/maximumBytes`` is used up.
        case tooManyBytes
        /// The resource is no longer the one that was opened.
        case changed
        /// The response contradicts the request, itself, or HTTP.
        case malformedResponse
        /// The connection ended before the response did.
        case connectionLost
        /// libcurl refused a call that must work, such as for want of memory.
        case internalFailure
    }

    /// What was waited for when time ran out.
    package enum Stage: Sendable, Hashable {
        /// Name look-up, connection and TLS.
        case connect
        /// The head of the response.
        case firstByte
        /// More of the body.
        case idle
    }

    package let code: Code
    /// What, which, why, and what to try, without a full stop: `127.0.0.1:80/a.mp4: HTTP status 404 (not found)`.
    package let message: String
    /// When the server wants to be asked again, where it said so.
    let retryAfter: Duration?

    package init(_ code: Code, _ message: String, retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }

    /// Whether the same request may work a moment later.
    var isTransient: Bool {
        switch code {
        case .connectionLost, .timedOut: true
        case .httpStatus(let status): [408, 425, 429].contains(status) || (500...599).contains(status)
        default: false
        }
    }

    var isTimeout: Bool { if case .timedOut = code { true } else { false } }

    /// The same error, saying how often it was tried.
    func after(attempts: Int) -> NetworkError {
        attempts < 2 ? self : NetworkError(code, "\(message) (tried \(attempts) times)", retryAfter: retryAfter)
    }
}

extension NetworkError: CustomStringConvertible {
    package var description: String { message }
}
