import CCurl
import SnapBase

extension Transfer {
    /// Tells libcurl what to ask for, and how.
    func configure() throws(NetworkError) {
        // Not retained: the handle ends with this object, and calls back only in between.
        let this = unsafe Unmanaged.passUnretained(self).toOpaque()
        let url = request.url
        unsafe addressCheck.pointee.context = unsafe this
        unsafe addressCheck.pointee.allows = { context, bytes, count in
            guard let transfer = unsafe Transfer.at(context), let bytes = unsafe bytes else { return 0 }
            let address = unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
            return transfer.allows(IPAddress(bytes: address)) ? 1 : 0
        }
        unsafe try check(ccurl_check_addresses(easy, addressCheck))
        unsafe try check(ccurl_allow_http_only(easy))
        unsafe try set(CURLOPT_ERRORBUFFER, pointer: UnsafeMutableRawPointer(errorText))
        unsafe try set(CURLOPT_PRIVATE, pointer: this)
        try set(CURLOPT_URL, url.text)
        try set(CURLOPT_PROXY, "")
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_CONNECTTIMEOUT_MS, options.connectTimeout.inMilliseconds)
        // Where the connection was closed meanwhile, two requests wait for one new one.
        if session.multiplexes(url.origin) { try set(CURLOPT_PIPEWAIT, 1) }
        try set(CURLOPT_USERAGENT, options.userAgent)
        if let range = request.range { try set(CURLOPT_RANGE, "\(range.lowerBound)-\(range.upperBound - 1)") }
        unsafe _ = ccurl_set_long(easy, ccurl_option_quick_exit, 1)  // unknown before libcurl 7.87
        if request.acceptsCompression {
            try set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
        } else {
            try add(line: "Accept-Encoding: identity")  // ranges are of the bytes themselves
        }
        if let file = options.certificateFile { try set(CURLOPT_CAINFO, file) }
        unsafe try check(cookieJar.serve(easy))
        if request.isForTypedOrigin {
            // An empty value needs a semicolon: libcurl takes a colon alone as "don't send this one".
            for header in options.headers where !header.isCookie {
                try add(line: header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
            }
            // Beside those that the server has set, in one header, as servers expect it.
            let cookies = options.headers.filter { $0.isCookie && !$0.value.isEmpty }
            if !cookies.isEmpty { try set(CURLOPT_COOKIE, cookies.map(\.value).joined(separator: "; ")) }
            if let credentials = request.credentials {
                try set(CURLOPT_USERNAME, credentials.user)
                try set(CURLOPT_PASSWORD, credentials.password)
            }
        }
        unsafe try set(CURLOPT_HTTPHEADER, pointer: UnsafeMutableRawPointer(lines))
        unsafe try set(CURLOPT_HEADERDATA, pointer: this)
        unsafe try set(CURLOPT_WRITEDATA, pointer: this)
        unsafe try check(
            ccurl_set_data_function(easy, Int32(bitPattern: CURLOPT_HEADERFUNCTION.rawValue)) {
                bytes, _, count, context in
                unsafe Transfer.at(context)?.receive(headerLine: UnsafeRawBufferPointer(start: bytes, count: count))
                    ?? 0
            })
        unsafe try check(
            ccurl_set_data_function(easy, Int32(bitPattern: CURLOPT_WRITEFUNCTION.rawValue)) {
                bytes, _, count, context in
                unsafe Transfer.at(context)?.receive(body: UnsafeRawBufferPointer(start: bytes, count: count)) ?? 0
            })
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        unsafe context.map { unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private func add(line: String) throws(NetworkError) {
        guard let longer = unsafe line.withPath({ unsafe ccurl_slist_append(lines, $0) }) else {
            throw NetworkError(.internalFailure, "curl_slist_append: out of memory")
        }
        unsafe lines = unsafe longer
    }

    /// What was typed goes out byte for byte, be it a path or another text.
    private func set(_ option: CURLoption, _ value: String) throws(NetworkError) {
        unsafe try check(value.withPath { unsafe ccurl_set_string(easy, Int32(bitPattern: option.rawValue), $0) })
    }

    private func set(_ option: CURLoption, _ value: Int) throws(NetworkError) {
        unsafe try check(ccurl_set_long(easy, Int32(bitPattern: option.rawValue), value))
    }

    private func set(_ option: CURLoption, pointer: UnsafeMutableRawPointer?) throws(NetworkError) {
        unsafe try check(ccurl_set_pointer(easy, Int32(bitPattern: option.rawValue), pointer))
    }

    private func check(_ code: CURLcode) throws(NetworkError) {
        guard code == CURLE_OK else {
            throw NetworkError(
                .internalFailure, "curl_easy_setopt: \(unsafe String(cString: ccurl_easy_strerror(code)))")
        }
    }
}
