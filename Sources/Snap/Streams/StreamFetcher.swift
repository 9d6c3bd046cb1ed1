import SnapBase
import SnapNetwork

/// Fetches what a stream is made of: over the connections of one session, or from the folder of a local playlist.
///
/// Used by one thread. At most one response is being received at a time, so that one connection a host is enough.
final class StreamFetcher {
    private enum Origin {
        case network(HTTPSession, typed: HTTPURL, HTTPOptions)
        /// The folder that nothing may lie outside of.
        case folder(String)
    }

    private let origin: Origin
    private let interrupt: Interrupt
    /// What was done by sources that are closed.
    private var closed = ByteSourceStatistics()
    /// The others.
    private var sources: [any ByteSource] = []
    /// The one whose response may still be on its way.
    private var current: (any ByteSource)?

    init(typed: HTTPURL, session: HTTPSession, options: HTTPOptions, interrupt: Interrupt) {
        origin = .network(session, typed: typed, options)
        self.interrupt = interrupt
    }

    /// - Parameter folder: A path without symbolic links and dots.
    init(folder: String, interrupt: Interrupt) {
        origin = .folder(folder)
        self.interrupt = interrupt
    }

    /// All that was read so far.
    var statistics: ByteSourceStatistics { sources.reduce(closed) { $0.adding($1.statistics) } }

    // MARK: Addresses

    /// What a reference means that stands in a playlist.
    ///
    /// - Parameter base: Where the playlist is.
    /// - Throws: `NetworkError` or ``SnapError`` for what may not be opened from there.
    func address(of reference: String, in base: StreamAddress) throws -> StreamAddress {
        if reference.lowercased().hasPrefix("data:") {
            throw SnapError(.refusedAddress, source: base.name, "names a data: URL where only keys and maps may be one")
        }
        switch base {
        case .url(let url): return .url(try url.resolving(reference))
        case .file(let path): return .file(try local(reference, beside: path))
        case .inline: throw SnapError(.refusedAddress, source: base.name, "names something else: \(reference)")
        }
    }

    /// The same for keys and initialization sections, which may be part of the playlist itself.
    func address(ofInlineable reference: String, in base: StreamAddress) throws -> StreamAddress {
        guard reference.lowercased().hasPrefix("data:") else { return try address(of: reference, in: base) }
        guard reference.utf8.count <= 65_536, let bytes = StreamAddress.inlineBytes(reference) else {
            throw SnapError(.notMedia, source: base.name, "holds a data: URL that can't be read")
        }
        return .inline(bytes)
    }

    private func local(_ reference: String, beside path: String) throws -> String {
        guard case .folder(let root) = origin else { return path }
        let colon = reference.firstIndex(of: ":")
        if let colon, !reference[..<colon].contains("/") {
            throw SnapError(
                .refusedAddress, source: path,
                "names \(reference), and a local playlist may only name files in its own folder")
        }
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let plain = reference.prefix { $0 != "?" && $0 != "#" }
        let decoded = String(decoding: plain.percentDecoded, as: UTF8.self)
        // A name may hold what looks like an escape or a query.
        let candidates = [reference, decoded].map { $0.hasPrefix("/") ? $0 : folder + "/" + $0 }
        guard let found = candidates.lazy.compactMap(FileDescriptor.resolvedPath).first else {
            throw SnapError(.notFound, source: path, "names \(decoded), and there is no such file")
        }
        guard found.hasPrefix(root.hasSuffix("/") ? root : root + "/") else {
            throw SnapError(.refusedAddress, source: path, "names \(decoded), which lies outside its own folder")
        }
        return found
    }

    // MARK: Bytes

    /// Fetches a small resource whole.
    ///
    /// - Parameters:
    ///   - kind: What it is called in errors.
    ///   - limit: How many bytes it may have.
    ///   - change: Adapts how HTTP is spoken for this request.
    /// - Returns: The bytes, and where they came from in the end.
    func fetch(
        _ address: StreamAddress, kind: String, limit: Int, changing change: (inout HTTPOptions) -> Void = { _ in }
    ) throws -> (bytes: [UInt8], address: StreamAddress) {
        switch (address, origin) {
        case (.inline(let bytes), _): return (bytes, address)
        case (.url(let url), .network(let session, let typed, var options)):
            try attend(to: nil)
            change(&options)
            let resource = try session.fetch(
                url, typed: typed, kind: kind, limit: limit, options: options, interrupt: interrupt)
            closed = closed.adding(resource.statistics)
            return (resource.bytes, .url(resource.url))
        case (.file(let path), _):
            let source = try open(address, part: nil, expected: nil)
            defer { close(source) }
            guard let bytes = try source.readAll(limit: limit) else {
                throw SnapError(.tooManyBytes, source: path, "\(kind) is longer than \(limit) bytes")
            }
            return (bytes, address)
        case (.url(let url), .folder):
            throw SnapError(.refusedAddress, source: url.description, "a local playlist may not reach the network")
        }
    }

    /// Opens a resource to be read from front to back.
    ///
    /// - Parameters:
    ///   - part: The bytes that will be read; `nil` for all.
    ///   - expected: What is likely to be wanted.
    /// - Returns: To be read after ``attend(to:)`` and given to ``close(_:)`` in the end.
    func open(_ address: StreamAddress, part: Range<Int64>?, expected: ExpectedBytes?) throws -> any ByteSource {
        try attend(to: nil)
        let source = try makeSource(address, part, expected)
        sources.append(source)
        current = source
        return source
    }

    private func makeSource(_ address: StreamAddress, _ part: Range<Int64>?, _ expected: ExpectedBytes?) throws
        -> any ByteSource
    {
        switch (address, origin) {
        case (.inline(let bytes), _): return MemoryByteSource(bytes)
        case (.url(let url), .network(let session, let typed, let options)):
            return try HTTPByteSource(
                url, typed: typed, part: part, expected: expected, session: session, options: options,
                interrupt: interrupt)
        case (.file(let path), _):
            let file = try FileDescriptor.open(forReading: path)
            guard case .regular(let length) = try file.kind() else {
                throw SnapError(.notReadable, source: path, "not a file that a playlist can name")
            }
            return FileByteSource(file, length: length)
        case (.url(let url), .folder):
            throw SnapError(.refusedAddress, source: url.description, "a local playlist may not reach the network")
        }
    }

    /// Makes room on the connection for a source: what another one is receiving is received to its end, or given up.
    func attend(to source: (any ByteSource)?) throws {
        guard let last = current, last !== source else { return }
        try (last as? HTTPByteSource)?.leave()
        current = source
    }

    /// Adds what was done elsewhere for this stream.
    func count(_ statistics: ByteSourceStatistics) { closed = closed.adding(statistics) }

    func close(_ source: any ByteSource) {
        guard let index = sources.firstIndex(where: { $0 === source }) else { return }
        closed = closed.adding(source.statistics)
        sources.remove(at: index)
        if current === source { current = nil }
    }
}

extension ByteSource {
    /// All bytes; `nil` when there are more than a limit.
    func readAll(limit: Int) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { chunk.deallocate() }
        while true {
            let count = try read(into: chunk, at: Int64(bytes.count))
            if count == 0 { return bytes }
            guard bytes.count + count <= limit else { return nil }
            bytes.append(contentsOf: chunk[..<count])
        }
    }
}

extension ByteSourceStatistics {
    fileprivate func adding(_ other: ByteSourceStatistics) -> ByteSourceStatistics {
        var sum = self
        sum.bytesRead += other.bytesRead
        sum.requests += other.requests
        sum.connections += other.connections
        sum.notes += other.notes.filter { !notes.contains($0) }
        return sum
    }
}
