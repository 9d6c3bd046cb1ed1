/// The sentences about responses.
extension NetworkError {
    static func status(_ status: Int, _ url: HTTPURL, retryAfter: Duration?) -> NetworkError {
        let meaning =
            switch status {
            case 401: " (authorisation needed): send it in a header"
            case 403: " (forbidden): it may need a header, or the URL has expired"
            case 404: " (not found): check the URL"
            case 407: " (proxy authorisation needed)"
            case 408: " (the server waited too long)"
            case 410: " (gone)"
            case 429: " (too many requests): ask less often"
            case 451: " (unavailable for legal reasons)"
            case 500...599: " (the server failed)"
            default: ""
            }
        let wish = retryAfter.map { "; it asks to wait \($0.inSeconds) s" } ?? ""
        return NetworkError(
            .httpStatus(status), "\(url): HTTP status \(status)\(meaning)\(wish)", retryAfter: retryAfter)
    }

    static func malformed(_ url: HTTPURL, _ what: String) -> NetworkError {
        NetworkError(.malformedResponse, "\(url): \(what)")
    }

    static func refused(_ kind: IPAddress.Kind, _ url: HTTPURL) -> NetworkError {
        let what =
            switch kind {
            case .loopback: "this machine itself"
            case .privateNetwork: "a private network"
            case .linkLocal: "a link-local address"
            case .global, .multicast, .reserved: "an address that is not for public use"
            }
        return NetworkError(
            .refusedAddress,
            "\(url): \(url.host) leads to \(what), which was not typed as such: allow it with --allow-private if it is meant"
        )
    }
}
