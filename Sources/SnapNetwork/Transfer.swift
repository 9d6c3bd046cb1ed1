import CCurl
import SnapBase

/// One request and its response, run while its bytes are waited for.
@safe final class Transfer {
    // A class, since libcurl's callbacks refer to it.
    let request: HTTPRequest
    let session: HTTPSession
    /// Of the origin that is asked.
    let cookieJar: CookieJar
    let options: HTTPOptions
    private let policy: AddressPolicy
    let easy: UnsafeMutableRawPointer
    var lines: UnsafeMutablePointer<curl_slist>?
    let addressCheck: UnsafeMutablePointer<ccurl_address_check>
    let errorText: UnsafeMutablePointer<CChar>

    private(set) var head = ResponseHead()
    /// Bytes of the body that arrived and were not taken yet.
    private var body: [UInt8] = []
    /// libcurl's verdict, once the transfer is over.
    private var result: CURLcode?
    private var isPaused = false
    private var isAdded = false
    private var headIsUsable = true
    /// An address that the policy did not allow, where one was met.
    private var refused: IPAddress?
    /// When something last came of it: the connection was there, bytes arrived.
    private var lastActivity = ContinuousClock.now
    private var isConnected = false

    /// How many bytes may wait to be taken, before the sender is made to wait.
    private static let bodyLimit = 262_144
    /// A wait for which it is not worth giving up a core.
    private static let briefly = Duration.milliseconds(1)

    /// Starts the request; nothing is sent before ``advance(_:)``.
    init(_ request: HTTPRequest, session: HTTPSession, options: HTTPOptions, policy: AddressPolicy) throws(NetworkError)
    {
        self.request = request
        self.session = session
        self.options = options
        self.policy = policy
        cookieJar = try session.cookieJar(of: request.url.origin)
        guard let easy = unsafe ccurl_easy_init() else {
            throw NetworkError(.internalFailure, "curl_easy_init: out of memory")
        }
        unsafe self.easy = unsafe easy
        unsafe addressCheck = .allocate(capacity: 1)
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        unsafe addressCheck.initialize(to: ccurl_address_check())
        try configure()
        unsafe try session.add(easy)
        isAdded = true
    }

    deinit {
        if isAdded { unsafe session.remove(easy) }
        unsafe ccurl_easy_cleanup(easy)
        unsafe ccurl_slist_free_all(lines)
        unsafe addressCheck.deallocate()
        unsafe errorText.deallocate()
    }

    // MARK: Running

    /// Whether the response was received whole, or the transfer failed.
    var isOver: Bool { result != nil }
    /// Connections opened for this transfer so far.
    var connections: Int { info(CURLINFO_NUM_CONNECTS) }
    /// Whether giving it up costs no connection.
    var isMultiplexed: Bool { info(CURLINFO_HTTP_VERSION) >= CURL_HTTP_VERSION_2_0 }
    /// What the Retry-After field says, as seconds or as a date. The corresponding C option is `CURLINFO_RETRY_AFTER`.
    var retryAfter: Duration? {
        var seconds: Int64 = 0
        unsafe _ = ccurl_get_offset(easy, Int32(bitPattern: CURLINFO_RETRY_AFTER.rawValue), &seconds)
        return seconds > 0 ? .seconds(seconds) : nil
    }

    /// Runs until there is something new: the head, bytes of the body, the end, or until a moment has come. Where that
    /// takes long, others may have the core meanwhile.
    ///
    /// - Throws: ``NetworkError``, or ``Interrupted``.
    func advance(_ interrupt: Interrupt, until moment: ContinuousClock.Instant? = nil) throws {
        let hadHead = head.isComplete
        // Time between two calls is the caller's own.
        if hadHead { lastActivity = .now }
        var hasWaited = false
        while true {
            try interrupt.check()
            if isPaused, body.isEmpty {
                isPaused = false
                unsafe _ = ccurl_easy_pause(easy, CURLPAUSE_CONT)
            }
            try session.perform()
            if !body.isEmpty || head.isComplete != hadHead { return }
            if isOver { return try checkResult() }
            try checkTime()
            if let moment, ContinuousClock.now >= moment { return }
            if hasWaited { interrupt.pause(for: "for bytes of \(request.url)") }
            try session.wait(atMost: hasWaited ? .milliseconds(50) : Self.briefly)
            hasWaited = true
        }
    }

    /// Takes the bytes that arrived since the last call.
    func takeBody() -> [UInt8] {
        defer { body = [] }
        return body
    }

    /// The transfer that an easy handle belongs to, as ``configure()`` noted it there.
    static func of(_ easy: UnsafeMutableRawPointer) -> Transfer? {
        var pointer: UnsafeMutableRawPointer?
        unsafe _ = ccurl_get_pointer(easy, Int32(bitPattern: CURLINFO_PRIVATE.rawValue), &pointer)
        return unsafe pointer.map { unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    func end(with result: CURLcode) { self.result = result }

    // MARK: Callbacks

    func receive(headerLine bytes: UnsafeRawBufferPointer) -> Int {
        lastActivity = .now
        headIsUsable = unsafe head.take(line: String(decoding: bytes, as: UTF8.self))
        return headIsUsable ? bytes.count : 0
    }

    func receive(body bytes: UnsafeRawBufferPointer) -> Int {
        guard body.count < Self.bodyLimit else {
            isPaused = true
            return Int(CURL_WRITEFUNC_PAUSE)
        }
        lastActivity = .now
        unsafe body.append(contentsOf: bytes)
        return bytes.count
    }

    func allows(_ address: IPAddress) -> Bool {
        if policy.allows(address) { return true }
        refused = address
        return false
    }

    // MARK: Failing

    private func checkTime() throws(NetworkError) {
        if !isConnected {
            var microseconds: Int64 = 0
            unsafe _ = ccurl_get_offset(
                easy, Int32(bitPattern: CURLINFO_PRETRANSFER_TIME_T.rawValue), &microseconds)
            guard microseconds > 0 else { return }  // libcurl watches over connectTimeout
            isConnected = true
            lastActivity = .now
        }
        let silence = ContinuousClock.now - lastActivity
        if head.isComplete {
            guard silence < options.idleTimeout else { throw timedOut(.idle, options.idleTimeout) }
        } else {
            guard silence < options.firstByteTimeout else { throw timedOut(.firstByte, options.firstByteTimeout) }
        }
    }

    private func timedOut(_ stage: NetworkError.Stage, _ limit: Duration) -> NetworkError {
        let what =
            switch stage {
            case .connect: "no connection"
            case .firstByte: "no answer"
            case .idle: "no more bytes"
            }
        return NetworkError(.timedOut(stage), "\(request.url): \(what) within \(limit.inSeconds) s")
    }

    /// - Throws: ``NetworkError`` when the transfer is over, and failed.
    func checkResult() throws(NetworkError) {
        guard let result, result != CURLE_OK else { return }
        let url = request.url
        switch result {
        case CURLE_COULDNT_CONNECT, CURLE_ABORTED_BY_CALLBACK:
            if let refused { throw .refused(refused.kind, url) }
            throw NetworkError(
                .couldNotConnect, "\(url): \(url.host) takes no connection on port \(url.origin.port): is it running?")
        case CURLE_COULDNT_RESOLVE_HOST:
            throw NetworkError(.couldNotResolve, "\(url): no address is known for \(url.host): check the name")
        case CURLE_OPERATION_TIMEDOUT:
            throw timedOut(.connect, options.connectTimeout)
        case CURLE_WRITE_ERROR where !headIsUsable, CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
            throw NetworkError(.malformedResponse, "\(url): the answer is not HTTP that can be used")
        case CURLE_PEER_FAILED_VERIFICATION where isUntrusted:
            throw NetworkError(.untrustedCertificate, "\(url): no secure connection: \(reason(result))")
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED:
            throw NetworkError(.tls, "\(url): no secure connection: \(reason(result))\(advice(result))")
        case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_BAD_FUNCTION_ARGUMENT:
            throw NetworkError(.internalFailure, "\(url): \(reason(result))")
        default:
            throw NetworkError(.connectionLost, "\(url): the connection was lost: \(reason(result))")
        }
    }

    /// Whether nobody who is trusted vouches for the server's certificate, by OpenSSL's numbers: its issuer is not known,
    /// or it is its own. Where it is for another name or time, no other authority would help.
    private var isUntrusted: Bool { [2, 18, 19, 20, 21].contains(info(CURLINFO_SSL_VERIFYRESULT)) }

    private func advice(_ result: CURLcode) -> String {
        guard result == CURLE_SSL_CACERT_BADFILE else { return "" }
        return options.certificateFile == nil
            ? ": install the package ca-certificates" : ": the file must hold certificates in PEM"
    }

    /// libcurl's words: about this transfer, else about the code.
    private func reason(_ result: CURLcode) -> String {
        // Some of them come from the other side, such as a certificate's names: nothing that a terminal would obey.
        let detail = unsafe String(cString: errorText).filter {
            !$0.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        return detail.isEmpty ? unsafe String(cString: ccurl_easy_strerror(result)) : detail
    }

    private func info(_ item: CURLINFO) -> Int {
        var value = 0
        unsafe _ = ccurl_get_long(easy, Int32(bitPattern: item.rawValue), &value)
        return value
    }
}
