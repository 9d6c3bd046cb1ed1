/// What is asked for, of whom.
struct HTTPRequest {
    let url: HTTPURL
    /// The bytes wanted, by the first one and the one behind the last; `nil` for all.
    let range: Range<Int64>?
    /// Whether the body may come compressed, to be decompressed by libcurl.
    var acceptsCompression = false
    /// Whether the URL is of the origin that was typed, which alone gets headers and credentials.
    let isForTypedOrigin: Bool
    /// What the typed URL's user part says.
    let credentials: HTTPURL.Credentials?
}
