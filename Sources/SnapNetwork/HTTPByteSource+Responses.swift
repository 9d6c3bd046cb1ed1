import SnapBase

extension HTTPByteSource {
    /// Asks for a range, or for everything, and follows redirects until there is a response with bytes.
    func open(_ range: Range<Int64>?) throws {
        var redirects = 0
        while true {
            let response = try headOfResponse(to: range)
            let head = response.head
            if let reference = head.redirect {
                redirects += 1
                guard redirects <= options.maximumRedirects else {
                    throw NetworkError(
                        .tooManyRedirects,
                        "\(typed): more than \(options.maximumRedirects) redirects, the last from \(url)")
                }
                try receiveRest(of: response)
                try follow(reference)
                continue
            }
            mediaType = mediaType ?? head["content-type"]?.lowercased()
            switch head.status {
            case 200: try accept(whole: response)
            case 206: try accept(part: response, of: range)
            case 416: try acceptEnd(head, at: range)
            default:
                let error = NetworkError.status(head.status, url, retryAfter: response.retryAfter)
                if error.isTransient { try receiveRest(of: response) }
                throw error
            }
            return
        }
    }

    /// Sends a request.
    func send(_ range: Range<Int64>?) throws -> Transfer {
        let request = HTTPRequest(
            url: url, range: range, acceptsCompression: isWhole, isForTypedOrigin: isAtTypedOrigin,
            credentials: typed.credentials)
        let response = try Transfer(request, session: session, options: options, policy: policy)
        statistics.requests += 1
        return response
    }

    private func headOfResponse(to range: Range<Int64>?) throws -> Transfer {
        let response = try ahead.take() ?? send(range)
        defer { statistics.connections += response.connections }
        while !response.head.isComplete {
            try response.advance(interrupt)
            if response.isOver, !response.head.isComplete {
                throw NetworkError.malformed(url, "the answer has no head")
            }
        }
        if response.isMultiplexed { session.noteMultiplexing(of: url.origin) }
        return response
    }

    /// Reads what comes with a redirect or a passing failure, if it is little, so that the connection can go on.
    private func receiveRest(of response: Transfer) throws {
        var left = 65_536
        do {
            while true {
                let bytes = response.takeBody()
                statistics.bytesRead += Int64(bytes.count)
                left -= bytes.count
                guard !response.isOver, left > 0 else { return }
                try response.advance(interrupt)
            }
        } catch is NetworkError {
            // The head had all that matters.
        }
    }

    private func follow(_ reference: String) throws(NetworkError) {
        let next: HTTPURL
        do {
            next = try url.resolving(reference)
        } catch {
            throw NetworkError(.refusedRedirect, "\(url): redirects to what can't be opened: \(error.message)")
        }
        if url.isSecure, !next.isSecure {
            guard options.followsToPlainHTTP else {
                throw NetworkError(
                    .refusedRedirect, "\(url): redirects from https to http (\(next.host)), which is not safe here")
            }
            guard options.headers.isEmpty, typed.credentials == nil else {
                throw NetworkError(
                    .refusedRedirect,
                    "\(url): redirects from https to http (\(next.host)), which is not followed when headers or a password are given"
                )
            }
            note("redirected from https to http")
        }
        url = next
        isAtTypedOrigin = isAtTypedOrigin && next.origin == typed.origin
    }

    // MARK: What responses say

    private func accept(part response: Transfer, of range: Range<Int64>?) throws(NetworkError) {
        try checkEncoding(response.head)
        guard let range, let told = response.head["content-range"].flatMap(ContentRange.init), let bytes = told.bytes
        else {
            throw .malformed(url, "a partial answer that doesn't say which part it is")
        }
        guard bytes.lowerBound == range.lowerBound, bytes.upperBound <= range.upperBound else {
            throw .malformed(
                url,
                "asked for bytes \(range.spelled), the server sends bytes \(bytes.spelled): its byte ranges can't be used"
            )
        }
        if let length = response.head.contentLength, length != Int64(bytes.count) {
            throw .malformed(
                url, "\(bytes.count) bytes are announced by Content-Range, but \(length) by Content-Length")
        }
        try compare(ResourceVersion(response.head, size: told.size))
        begin(response, at: bytes.lowerBound, end: bytes.upperBound)
    }

    private func accept(whole response: Transfer) throws(NetworkError) {
        if !isWhole { try checkEncoding(response.head) }
        let hasOwnLength = response.head["transfer-encoding"] == nil && response.head.isIdentity
        try compare(ResourceVersion(response.head, size: hasOwnLength ? response.head.contentLength : nil))
        hasRanges = false
        note("the server has no byte ranges: read from the first byte on", if: !isSeekable && !isWhole)
        begin(response, at: 0, end: nil)
    }

    /// There is nothing at the start of the range.
    private func acceptEnd(_ head: ResponseHead, at range: Range<Int64>?) throws(NetworkError) {
        let told = head["content-range"].flatMap(ContentRange.init)?.size
        guard let range, told ?? range.lowerBound <= range.lowerBound, told != nil || version != nil else {
            throw .status(416, url, retryAfter: nil)
        }
        try compare(ResourceVersion(head, size: told))
        if told == nil {
            guard version?.size == nil else { throw .status(416, url, retryAfter: nil) }
            foundEnd = min(foundEnd ?? .max, range.lowerBound)
        }
    }

    private func begin(_ response: Transfer, at start: Int64, end: Int64?) {
        transfer = response
        position = start
        windowEnd = end
    }

    private func checkEncoding(_ head: ResponseHead) throws(NetworkError) {
        guard head.isIdentity else {
            throw .malformed(url, "the server compresses the answer though asked not to: its byte ranges can't be used")
        }
    }

    /// - Throws: ``NetworkError`` when a response is about other bytes than those before.
    private func compare(_ current: ResourceVersion) throws(NetworkError) {
        guard var known = version else {
            version = current
            statistics.version = current.text
            return
        }
        guard known.matches(current) else {
            throw NetworkError(.changed, "\(url): it changed on the server while it was read: try again")
        }
        known.complete(with: current)
        version = known
    }
}

extension Range<Int64> {
    /// As in a Range field: both ends included.
    fileprivate var spelled: String { "\(lowerBound)-\(upperBound - 1)" }
}
