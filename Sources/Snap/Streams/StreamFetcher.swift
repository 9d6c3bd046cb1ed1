import SnapBase
import SnapNetwork

/// Fetches what a stream is made of: over the connections of one session, or from the folder of a local playlist.
///
/// Used by one thread. Of one server, at most one response is being received at a time, so that one connection is
/// enough; with HTTP/2, it takes several.
final class StreamFetcher {
    enum Origin {
        case network(HTTPSession, typed: HTTPURL, HTTPOptions)
        /// The folder that nothing may lie outside of, with a final slash.
        case folder(String)
    }

    let origin: Origin
    /// Whether what is fetched may be had elsewhere, so that a server that hangs is not waited for until the time is over.
    var hasAlternative = false
    private let interrupt: Interrupt
    /// What was done by sources that are closed.
    private var closed = ByteSourceStatistics()
    /// The others.
    private var sources: [any ByteSource] = []
    /// The one whose response may still be on its way.
    private var current: (any ByteSource)?
    /// Those that were asked ahead.
    private var ahead: [Request: HTTPByteSource] = [:]

    /// What will be fetched or opened.
    enum Request: Hashable {
        case key(StreamAddress, limit: Int)
        case bytes(StreamAddress, part: Range<Int64>?, expected: ExpectedBytes?)
    }

    init(typed: HTTPURL, session: HTTPSession, options: HTTPOptions, interrupt: Interrupt) {
        origin = .network(session, typed: typed, options)
        self.interrupt = interrupt
    }

    /// - Parameter folder: A path without symbolic links and dots, with a final slash.
    init(folder: String, interrupt: Interrupt) {
        origin = .folder(folder)
        self.interrupt = interrupt
    }

    /// All that was read so far.
    var statistics: ByteSourceStatistics {
        ahead.values.reduce(sources.reduce(closed) { $0.adding($1.statistics) }) { $0.adding($1.statistics) }
    }

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
        case (.url(let url), .network(let session, let typed, let usual)):
            try attend(to: nil)
            var options = adapted(usual)
            change(&options)
            let source = try HTTPByteSource(
                whole: url, typed: typed, limit: limit, session: session, options: options, interrupt: interrupt)
            defer { closed = closed.adding(source.statistics) }
            return (try source.receiveWhole(kind), .url(source.url))
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

    /// Fetches a key. No redirect may lead it from https to http.
    func fetchKey(_ address: StreamAddress, limit: Int) throws -> [UInt8] {
        guard case .url(let url) = address, case .network = origin else {
            return try fetch(address, kind: "the key", limit: limit).bytes
        }
        try attend(to: nil)
        let request = Request.key(address, limit: limit)
        let source = try ahead.removeValue(forKey: request) ?? makeSource(request, url)
        defer { closed = closed.adding(source.statistics) }
        return try source.receiveWhole("the key")
    }

    /// Opens a resource to be read from front to back.
    ///
    /// - Parameters:
    ///   - part: The bytes that will be read; `nil` for all.
    ///   - expected: What is likely to be wanted.
    /// - Returns: To be read after ``attend(to:)`` and given to ``close(_:)`` in the end.
    func open(_ address: StreamAddress, part: Range<Int64>?, expected: ExpectedBytes?) throws -> any ByteSource {
        try attend(to: nil)
        let source: any ByteSource
        switch (address, origin) {
        case (.inline(let bytes), _): source = MemoryByteSource(bytes)
        case (.url(let url), .network):
            let request = Request.bytes(address, part: part, expected: expected)
            let remote = try ahead.removeValue(forKey: request) ?? makeSource(request, url)
            do {
                try remote.open()
            } catch {
                closed = closed.adding(remote.statistics)
                throw error
            }
            source = remote
        case (.file(let path), _):
            let file = try FileDescriptor.open(forReading: path)
            guard case .regular(let length) = try file.kind() else {
                throw SnapError(.notReadable, source: path, "not a file that a playlist can name")
            }
            source = FileByteSource(file, length: length)
        case (.url(let url), .folder):
            throw SnapError(.refusedAddress, source: url.description, "a local playlist may not reach the network")
        }
        sources.append(source)
        current = source
        return source
    }

    /// Sends a request, and doesn't wait.
    private func makeSource(_ request: Request, _ url: HTTPURL) throws -> HTTPByteSource {
        guard case .network(let session, let typed, let usual) = origin else {
            throw SnapError(.refusedAddress, source: url.description, "a local playlist may not reach the network")
        }
        var options = adapted(usual)
        switch request {
        case .key(_, let limit):
            options.followsToPlainHTTP = false
            return try HTTPByteSource(
                whole: url, typed: typed, limit: limit, session: session, options: options, interrupt: interrupt)
        case .bytes(_, let part, let expected):
            return try HTTPByteSource(
                url, typed: typed, part: part, expected: expected, session: session, options: options,
                interrupt: interrupt, waits: false)
        }
    }

    /// Asks at once for what will be needed soon, so that all of it takes the time of one answer.
    ///
    /// Only where it costs no connection: by HTTP/1.1, requests to one server still go one after the other, since making
    /// a second connection takes as long as it would save, and longer with TLS.
    ///
    /// - Parameter requests: In the order in which they will be needed.
    func ask(ahead requests: [Request]) throws {
        guard case .network(let session, _, _) = origin, requests.count > 1 else { return }
        try attend(to: nil)
        var busy: Set<HTTPURL.Origin> = []
        for request in requests {
            guard case .url(let url) = request.address else { continue }
            let isFree = session.multiplexes(url.origin) || busy.insert(url.origin).inserted
            guard isFree, ahead[request] == nil else { continue }
            // What fails is tried again where it is needed, and an error there.
            ahead[request] = try? makeSource(request, url)
        }
    }

    /// How HTTP is spoken, by whether there is an alternative.
    private func adapted(_ usual: HTTPOptions) -> HTTPOptions {
        var options = usual
        if hasAlternative { options.mostRetriesOfTimeouts = 1 }
        return options
    }

    /// Gives up what was asked ahead and not needed after all.
    func forgetAhead() {
        for source in ahead.values {
            try? source.leave()
            closed = closed.adding(source.statistics)
        }
        ahead = [:]
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

extension StreamFetcher.Request {
    fileprivate var address: StreamAddress {
        switch self {
        case .key(let address, _), .bytes(let address, _, _): address
        }
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
