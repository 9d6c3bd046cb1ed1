import CCurl

/// The cookies that one origin has set, for as long as a session lasts. In memory only.
///
/// A jar of its own for each origin keeps what the rules of cookies (RFC 6265) do not: they would give a cookie to other
/// ports of its host, and to whichever other hosts its `Domain` names.
@safe final class CookieJar {
    // A class, since each transfer needs it for as long as it lives.
    private let share: UnsafeMutableRawPointer

    init() throws(NetworkError) {
        guard let share = unsafe ccurl_cookies_init() else {
            throw NetworkError(.internalFailure, "curl_share_init: out of memory")
        }
        unsafe self.share = unsafe share
    }

    deinit { unsafe ccurl_cookies_cleanup(share) }

    /// Makes a transfer send what is in the jar, and keep in it what it is given; the jar must outlive the transfer.
    func serve(_ easy: UnsafeMutableRawPointer) -> CURLcode {
        let code = unsafe ccurl_set_pointer(easy, Int32(bitPattern: CURLOPT_SHARE.rawValue), share)
        guard code == CURLE_OK else { return code }
        // A file without a name is none: this is how libcurl is told to heed cookies.
        return unsafe ccurl_set_string(easy, Int32(bitPattern: CURLOPT_COOKIEFILE.rawValue), "")
    }
}
