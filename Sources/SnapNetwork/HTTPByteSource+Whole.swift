package import SnapBase

/// A small resource is received whole, and the server may compress it.
extension HTTPByteSource {
    /// - Parameters:
    ///   - url: Where it is.
    ///   - typed: What the user typed to get there.
    ///   - limit: How many bytes it may have.
    ///   - interrupt: Asked at least every 100 ms while something is waited for.
    package convenience init(
        whole url: HTTPURL, typed: HTTPURL? = nil, limit: Int, session: HTTPSession, options: HTTPOptions,
        interrupt: Interrupt
    ) throws {
        var options = options
        options.maximumBytes = Int64(limit)
        try self.init(
            url, typed: typed, part: nil, window: RangeWindow(), isWhole: true, session: session, options: options,
            interrupt: interrupt)
        try ask()
    }

    /// All bytes.
    ///
    /// - Parameter kind: What they are called in errors: `the playlist`.
    /// - Throws: ``NetworkError``, or `Interrupted`.
    package func receiveWhole(_ kind: String) throws -> [UInt8] {
        let asked = url
        do {
            var bytes: [UInt8] = []
            try unsafe withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { chunk in
                while true {
                    let count = try unsafe read(into: chunk, at: Int64(bytes.count))
                    if count == 0 { break }
                    unsafe bytes.append(contentsOf: chunk[..<count])
                }
            }
            return bytes
        } catch let error as NetworkError where error.code == .tooManyBytes {
            throw NetworkError(.tooManyBytes, "\(asked): \(kind) is longer than \(options.maximumBytes ?? 0) bytes")
        }
    }
}
