package import SnapBase

/// A resource of http or https, read by byte ranges where the server has them.
///
/// Requests run inside ``read(into:at:)``, on one connection, for bounded and growing ranges (``RangeWindow``); what
/// arrived lately is kept (``ReceivedBytes``). After a redirect, later requests go straight to where it led.
///
/// A server without byte ranges is read forward from the start, within ``HTTPOptions/maximumBytes``; a position behind
/// what is kept then means starting over. ``statistics`` has a note of it.
package final class HTTPByteSource: ByteSource {
    let session: HTTPSession
    let options: HTTPOptions
    let interrupt: Interrupt
    let policy: AddressPolicy
    let typed: HTTPURL

    /// Where the bytes come from by now, redirects followed.
    package internal(set) var url: HTTPURL
    package internal(set) var statistics = ByteSourceStatistics()

    /// What the first response says that the bytes are, in lower case: `video/mp4`.
    package internal(set) var mediaType: String?

    /// Whether no redirect led away from the typed origin so far; once one did, headers and credentials stay behind.
    var isAtTypedOrigin: Bool
    /// What the first response said; `nil` until then.
    var version: ResourceVersion?
    /// Where the end was found, when no response said it.
    var foundEnd: Int64?
    var hasRanges: Bool
    /// The first request, sent before anybody waits for its answer.
    var ahead: Transfer?
    /// The response that is being read, its next byte, and the one behind its last (`nil`: to the end, wherever it is).
    var transfer: Transfer?
    var position: Int64 = 0
    var windowEnd: Int64?
    private var received = ReceivedBytes()
    private var window: RangeWindow
    /// Whether it is asked for without ranges, and may come compressed.
    let isWhole: Bool
    /// The bytes that will be read; `nil` for any.
    private let part: Range<Int64>?
    /// Failures since a request last went well.
    private var failures = 0

    /// Opens a resource: asks for its first bytes and waits for the head of the response.
    ///
    /// - Parameters:
    ///   - url: Where it is.
    ///   - typed: What the user typed to get there, such as the playlist that names a segment: it decides where
    ///     headers and credentials go and which addresses may be reached. By default `url` itself.
    ///   - part: The bytes that will be read; none behind them are asked for. By default all.
    ///   - expected: What is likely to be wanted, for the first requests.
    ///   - session: Whose connections to use.
    ///   - interrupt: Asked at least every 100 ms while something is waited for.
    ///   - waits: Without, ``open()`` is what waits, or the first reading. The answer may arrive meanwhile, while other
    ///     sources of the session are waited for.
    /// - Throws: ``NetworkError``, or `Interrupted`.
    package convenience init(
        _ url: HTTPURL, typed: HTTPURL? = nil, part: Range<Int64>? = nil, expected: ExpectedBytes? = nil,
        session: HTTPSession, options: HTTPOptions = HTTPOptions(), interrupt: Interrupt, waits: Bool = true
    ) throws {
        try self.init(
            url, typed: typed, part: part, window: RangeWindow(expected: expected), isWhole: false, session: session,
            options: options, interrupt: interrupt)
        if waits { try open() } else { try ask() }
    }

    /// Nothing is asked for yet.
    init(
        _ url: HTTPURL, typed: HTTPURL?, part: Range<Int64>?, window: RangeWindow, isWhole: Bool, session: HTTPSession,
        options: HTTPOptions, interrupt: Interrupt
    ) throws {
        try options.checkHeaders()
        self.session = session
        self.options = options
        self.interrupt = interrupt
        self.part = part
        self.window = window
        self.isWhole = isWhole
        hasRanges = !isWhole
        self.url = url
        self.typed = typed ?? url
        isAtTypedOrigin = url.origin == self.typed.origin
        policy = AddressPolicy(typed: self.typed, allowsEverything: options.allowsPrivateAddresses)
    }

    /// Sends the first request.
    func ask() throws {
        ahead = try send(range(from: part?.lowerBound ?? 0))
        try session.perform()
    }

    /// Waits for the head of the first response, unless that was done.
    package func open() throws {
        while version == nil { try retrying { try open(range(from: part?.lowerBound ?? 0)) } }
    }

    /// - Throws: ``NetworkError``, or `Interrupted`.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        let count = unsafe try receive(into: buffer, from: offset)
        interrupt.resume()
        return count
    }

    private func receive(into buffer: UnsafeMutableRawBufferPointer, from offset: Int64) throws -> Int {
        try open()
        while true {
            try interrupt.check()
            let count = unsafe received.copy(into: buffer, from: offset)
            if count > 0 { return count }
            if let end = size(), offset >= end { return 0 }
            try retrying {
                if transfer == nil {
                    try open(range(from: offset))
                } else if isOnTheWay(to: offset) {
                    try receive()
                } else {
                    try leave()
                }
            }
        }
    }

    /// What tells this state of the resource from all others; `nil` where the server doesn't say enough for that.
    package var state: String? { version?.distinctText }

    package func willRead(_ range: Range<Int64>) { window.announce(range) }

    package func size() -> Int64? { version?.size ?? foundEnd }

    /// False for a server without byte ranges, unless all of the resource fits what is kept.
    package var isSeekable: Bool { hasRanges || size().map { $0 <= Int64(ReceivedBytes.capacity) } ?? false }

    // MARK: Receiving

    /// Whether the response that is being read will come to an offset, soon enough.
    private func isOnTheWay(to offset: Int64) -> Bool {
        guard let windowEnd else { return offset >= position }
        return (position..<windowEnd).contains(offset) && offset - position <= RangeWindow.readThrough
    }

    /// Takes what arrives next.
    private func receive(until moment: ContinuousClock.Instant? = nil) throws {
        guard let transfer else { return }
        try checkLimit()
        try transfer.advance(interrupt, until: moment)
        let bytes = transfer.takeBody()
        statistics.bytesRead += Int64(bytes.count)
        received.append(bytes, at: position)
        position += Int64(bytes.count)
        if let windowEnd, position > windowEnd {
            throw NetworkError.malformed(url, "the body is longer than its head says")
        }
        guard transfer.isOver else { return }
        try transfer.checkResult()
        self.transfer = nil
        failures = 0
        if let windowEnd, position < windowEnd {
            throw NetworkError.malformed(url, "the body is shorter than its head says")
        }
        if windowEnd == nil, version?.size == nil { foundEnd = position }
    }

    /// Ends the response that is being read: receives the rest where that is the cheaper way to keep the connection,
    /// which another source of the session can then use. More can be read afterwards.
    package func leave() throws {
        defer { drop() }
        guard let windowEnd, let transfer, !transfer.isMultiplexed,
            windowEnd - position <= RangeWindow.worthFinishing
        else { return }
        let moment = ContinuousClock.now + .milliseconds(250)  // some round trips: what a new connection would take
        do {
            while self.transfer != nil, ContinuousClock.now < moment { try receive(until: moment) }
        } catch is NetworkError {
            // Nobody asked for these bytes.
        }
        interrupt.resume()
    }

    private func drop() {
        for response in [ahead, transfer] { statistics.bytesRead += Int64(response?.takeBody().count ?? 0) }
        statistics.connections += ahead?.connections ?? 0
        (ahead, transfer) = (nil, nil)
    }

    private func checkLimit() throws(NetworkError) {
        guard let limit = options.maximumBytes, statistics.bytesRead > limit else { return }
        throw tooManyBytes(limit)
    }

    private func tooManyBytes(_ limit: Int64) -> NetworkError {
        let reason = hasRanges ? "" : " (the server has no byte ranges)"
        return NetworkError(
            .tooManyBytes,
            "\(url): more than \(limit) bytes would have to be read\(reason): allow more with --max-bytes")
    }

    // MARK: Asking

    /// What to ask for to get the bytes from an offset on, as many as seem right; `nil` for everything. The same again
    /// for the first request, for as long as nothing came of it.
    private func range(from offset: Int64) throws -> Range<Int64>? {
        try checkLimit()
        guard hasRanges else {
            note(
                "started over from the first byte, because the server has no byte ranges",
                if: version != nil && !isWhole)
            return nil
        }
        var end = offset + window.next(at: offset, of: part ?? size().map { 0..<$0 })
        if let part, offset < part.upperBound { end = min(end, part.upperBound) }
        if let size = size() { end = min(end, size) }
        if let known = received.firstStart(after: offset) { end = min(end, known) }
        if let limit = options.maximumBytes {
            let left = limit - statistics.bytesRead
            guard left > 0 else { throw tooManyBytes(limit) }
            end = min(end, offset + left)
        }
        return offset..<end
    }

    /// Runs a step; when it fails in a way that may pass, waits, so that it can be run again.
    private func retrying(_ step: () throws -> Void) throws {
        do {
            try step()
        } catch let error as NetworkError {
            drop()
            let most = min(options.retryDelays.count, error.isTimeout ? options.mostRetriesOfTimeouts : .max)
            guard error.isTransient, failures < most else {
                throw error.after(attempts: failures + 1)
            }
            let delay = max(options.retryDelays[failures] * Int.random(in: 75...125) / 100, error.retryAfter ?? .zero)
            guard delay < interrupt.timeLeft ?? .seconds(30) else { throw error.after(attempts: failures + 1) }
            failures += 1
            interrupt.pause(for: "to try once more, after this: \(error.message)")
            let end = ContinuousClock.now + delay
            while ContinuousClock.now < end {
                try interrupt.check()
                try session.wait(atMost: end - .now)
            }
        }
    }

    /// Leaves a note for the user, once.
    func note(_ text: String, if condition: Bool = true) {
        if condition, !statistics.notes.contains(text) { statistics.notes.append(text) }
    }
}
