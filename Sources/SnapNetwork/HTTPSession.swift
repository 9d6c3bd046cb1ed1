import CCurl
import SnapBase

/// Connections that are kept alive, and cookies, shared by the sources that are given the same session.
///
/// Used by one thread at a time, together with all of its sources. Work is done only inside their calls.
@safe package final class HTTPSession {
    // A class, since each transfer needs it for as long as it lives.
    private let multi: UnsafeMutableRawPointer
    private var jars: [HTTPURL.Origin: CookieJar] = [:]
    private var multiplexed: Set<HTTPURL.Origin> = []
    /// More than a stream has in use at a time.
    private static let knownOrigins = 64

    /// Loads libcurl, where no URL did that before.
    package init() throws(NetworkError) {
        try loadLibrary()
        guard let multi = unsafe ccurl_multi_init() else {
            throw NetworkError(.internalFailure, "curl_multi_init: out of memory")
        }
        unsafe self.multi = unsafe multi
    }

    deinit { unsafe ccurl_multi_cleanup(multi) }

    /// Where the cookies of an origin are.
    func cookieJar(of origin: HTTPURL.Origin) throws(NetworkError) -> CookieJar {
        if let known = jars[origin] { return known }
        // Playlists may name a new host each time. Transfers hold on to their own.
        if jars.count >= Self.knownOrigins { (jars, multiplexed) = ([:], []) }
        let jar = try CookieJar()
        jars[origin] = jar
        return jar
    }

    /// Whether requests to an origin can share a connection without one waiting for the other (HTTP/2), as far as its
    /// answers have shown.
    package func multiplexes(_ origin: HTTPURL.Origin) -> Bool { multiplexed.contains(origin) }

    func noteMultiplexing(of origin: HTTPURL.Origin) { multiplexed.insert(origin) }

    func add(_ easy: UnsafeMutableRawPointer) throws(NetworkError) {
        unsafe try check(ccurl_multi_add_handle(multi, easy), "curl_multi_add_handle")
    }

    func remove(_ easy: UnsafeMutableRawPointer) { unsafe _ = ccurl_multi_remove_handle(multi, easy) }

    /// Does what can be done without waiting, for all transfers.
    func perform() throws(NetworkError) {
        var running: Int32 = 0
        unsafe try check(ccurl_multi_perform(multi, &running), "curl_multi_perform")
        var result = CURLE_OK
        while let easy = unsafe ccurl_multi_next_ended(multi, &result) {
            unsafe Transfer.of(easy)?.end(with: result)
        }
    }

    /// Waits until there is something to do, and never longer than an `Interrupt` may go unasked.
    func wait(atMost limit: Duration = .milliseconds(50)) throws(NetworkError) {
        let milliseconds = max(min(limit, .milliseconds(50)).inMilliseconds, 1)
        unsafe try check(ccurl_multi_poll(multi, Int32(milliseconds)), "curl_multi_poll")
    }

    private func check(_ code: CURLMcode, _ call: StaticString) throws(NetworkError) {
        guard code == CURLM_OK else {
            throw NetworkError(.internalFailure, "\(call): failed with code \(code.rawValue)")
        }
    }
}
