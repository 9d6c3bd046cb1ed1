/// One answer of a ``LoopbackServer``: its head, and how its body goes out.
struct LoopbackAnswer {
    private(set) var status = 200
    private(set) var head = ""
    private let resource: LoopbackResource
    private var body: Range<Int64> = 0..<0
    private var isSide = false
    private let requestsBefore: Int

    init(_ resource: LoopbackResource, range: String?, requestsBefore: Int) {
        self.resource = resource
        self.requestsBefore = requestsBefore
        var fields: [String] = []
        if requestsBefore < resource.statuses.count {
            status = resource.statuses[requestsBefore]
            if let seconds = resource.retryAfter { fields.append("Retry-After: \(seconds)") }
            fields.append("Content-Length: \(resource.sideBody)")
            isSide = true
        } else if let target = resource.redirect {
            status = 302
            fields = resource.fields + ["Location: \(target)", "Content-Length: \(resource.sideBody)"]
            isSide = true
        } else {
            fields = fieldsOfBody(range)
        }
        head = "HTTP/1.1 \(status) Status\r\n" + fields.map { "\($0)\r\n" }.joined() + "\r\n"
    }

    private mutating func fieldsOfBody(_ range: String?) -> [String] {
        var fields = resource.fields
        if let tag = resource.entityTags[safe: requestsBefore] ?? resource.entityTags.last {
            fields.append("ETag: \(tag)")
        }
        body = 0..<resource.size
        if resource.acceptsRanges, let range, let (first, last) = Self.parse(range) {
            guard first < resource.size else {
                status = 416
                body = 0..<0
                return fields + [
                    "Content-Range: \(resource.contentRange ?? "bytes */\(resource.size)")", "Content-Length: 0",
                ]
            }
            let end = min(last.map { $0 + 1 } ?? resource.size, resource.size)
            body = first..<min(end, first + min(resource.largestRange, resource.size))
            status = 206
            let told = resource.contentRange ?? "bytes \(body.lowerBound)-\(body.upperBound - 1)/\(resource.size)"
            if !told.isEmpty { fields.append("Content-Range: \(told)") }
        }
        if resource.isChunked {
            fields.append("Transfer-Encoding: chunked")
        } else if resource.tellsLength {
            fields.append("Content-Length: \(resource.contentLength ?? String(body.count))")
        } else {
            fields.append("Connection: close")
        }
        return fields
    }

    /// `bytes=0-99` or `bytes=100-`.
    private static func parse(_ range: String) -> (first: Int64, last: Int64?)? {
        let ends = range.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int64(ends[0]) else { return nil }
        return (first, Int64(ends[1]))
    }

    /// - Parameter count: Told how many bytes were given to the socket.
    /// - Returns: Whether the connection lives on.
    func sendBody(on connection: LoopbackSocket, count: (Int64) -> Void) -> Bool {
        if isSide { return connection.send([UInt8](repeating: 0x20, count: resource.sideBody)) }
        let step: Int64 = resource.drip == nil ? 16_384 : 1_000
        var offset = body.lowerBound
        while offset < body.upperBound {
            let done = offset - body.lowerBound
            var end = min(offset + step, body.upperBound)
            if let limit = resource.cutAfter, requestsBefore < resource.cuts {
                guard done < limit else { return false }
                end = min(end, body.lowerBound + limit)
            }
            if let limit = resource.stallAfter {
                guard done < limit else { return connection.waitForEnd() }
                end = min(end, body.lowerBound + limit)
            }
            let bytes = resource.bytes(offset..<end)
            let piece =
                resource.isChunked ? Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10] : bytes
            count(Int64(bytes.count))  // before: whoever has the bytes finds them counted
            guard connection.send(piece) else { return false }
            offset = end
            if let drip = resource.drip, !connection.sleep(drip) { return false }
        }
        if resource.isChunked { return connection.send(Array("0\r\n\r\n".utf8)) }
        return resource.tellsLength && resource.contentLength == nil
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
