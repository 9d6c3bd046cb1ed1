/// Which addresses may be reached on behalf of a URL that a user typed.
///
/// 1. Global addresses, always.
/// 2. If the typed host is itself an address that is not global, or `localhost`: addresses of that same kind, so that
///    `http://127.0.0.1:8000/` may redirect to `http://[::1]:9000/`, but not to 192.168.1.1 or 169.254.169.254.
/// 3. Nothing else: a typed *name* grants nothing, wherever it leads, since whoever owns a name decides that.
///
/// It is asked with addresses, after name look-up and before a connection, for the typed URL, each redirect, and
/// whatever else the resource refers to.
struct AddressPolicy: Sendable, Hashable {
    private let allowsEverything: Bool
    private let granted: IPAddress.Kind?

    init(typed: HTTPURL, allowsEverything: Bool) {
        self.allowsEverything = allowsEverything
        let host = typed.host.hasSuffix(".") ? String(typed.host.dropLast()) : typed.host
        if host == "localhost" || host.hasSuffix(".localhost") {  // RFC 6761: never in the hands of others
            granted = .loopback
        } else {
            granted = IPAddress(host)?.kind
        }
    }

    func allows(_ address: IPAddress) -> Bool {
        let kind = address.kind
        return allowsEverything || kind == .global || kind == granted
    }
}
