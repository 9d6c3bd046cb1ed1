package import SnapBase

/// A small resource, received whole.
package struct HTTPResource: Sendable {
    package let bytes: [UInt8]
    /// Where it came from, redirects followed: what references in it are resolved against.
    package let url: HTTPURL
    package let statistics: ByteSourceStatistics
}

extension HTTPSession {
    /// Receives a small resource whole. The server may compress it.
    ///
    /// - Parameters:
    ///   - url: Where it is.
    ///   - typed: What the user typed to get there; see ``HTTPByteSource``.
    ///   - kind: What it is called in errors: `the playlist`.
    ///   - limit: How many bytes it may have.
    ///   - interrupt: Asked at least every 100 ms.
    /// - Throws: ``NetworkError``, or `Interrupted`.
    package func fetch(
        _ url: HTTPURL, typed: HTTPURL? = nil, kind: String, limit: Int, options: HTTPOptions, interrupt: Interrupt
    ) throws -> HTTPResource {
        var options = options
        options.maximumBytes = Int64(limit)
        do {
            let source = try HTTPByteSource(
                url, typed: typed, part: nil, window: RangeWindow(), isWhole: true, session: self, options: options,
                interrupt: interrupt)
            var bytes: [UInt8] = []
            try unsafe withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { chunk in
                while true {
                    let count = try unsafe source.read(into: chunk, at: Int64(bytes.count))
                    if count == 0 { break }
                    unsafe bytes.append(contentsOf: chunk[..<count])
                }
            }
            return HTTPResource(bytes: bytes, url: source.url, statistics: source.statistics)
        } catch let error as NetworkError where error.code == .tooManyBytes {
            throw NetworkError(.tooManyBytes, "\(url): \(kind) is longer than \(limit) bytes")
        }
    }
}
