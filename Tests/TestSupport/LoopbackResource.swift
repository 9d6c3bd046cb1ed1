/// What a ``LoopbackServer`` gives under a path, and how it misbehaves.
public struct LoopbackResource: Sendable {
    /// Its length in bytes.
    public var size: Int64
    /// Makes the bytes of a range; never asked beyond the end.
    public var bytes: @Sendable (Range<Int64>) -> [UInt8]

    /// Time before each answer.
    public var delay = Duration.zero
    /// Given before anything else, one to a request, with an empty body.
    public var statuses: [Int] = []
    /// The Retry-After field that comes with ``statuses``.
    public var retryAfter: String?
    /// Where to go instead, with status 302.
    public var redirect: String?
    /// The body that comes with ``statuses`` and ``redirect``, in bytes.
    public var sideBody = 0

    /// A cookie, as `name=value`, without which the answer is 403.
    public var neededCookie: String?

    /// Without: every answer is 200 and whole.
    public var acceptsRanges = true
    /// The most bytes in one answer to a range; fewer than asked for is allowed.
    public var largestRange = Int64.max
    /// The Content-Range field instead of the right one; empty for none.
    public var contentRange: String?
    /// The Content-Length field instead of the right one.
    public var contentLength: String?
    /// Whether there is a Content-Length field; without it, and not chunked, the connection's end is the body's.
    public var tellsLength = true
    public var isChunked = false
    /// Further fields, as lines without line end; of redirects too.
    public var fields: [String] = []
    /// ETag values, one to a request; the last one goes on.
    public var entityTags: [String] = []

    /// Closes the connection after so many bytes of a body, as often as ``cuts`` says.
    public var cutAfter: Int64?
    public var cuts = Int.max
    /// Sends no more after so many bytes of a body, and keeps the connection open.
    public var stallAfter: Int64?
    /// Sends a thousand bytes, then waits for so long, and again.
    public var drip: Duration?

    /// - Parameter bytes: Makes the bytes of a range.
    public init(size: Int64, bytes: @escaping @Sendable (Range<Int64>) -> [UInt8]) {
        self.size = size
        self.bytes = bytes
    }

    public init(_ bytes: [UInt8]) {
        self.init(size: Int64(bytes.count)) { Array(bytes[Int($0.lowerBound)..<Int($0.upperBound)]) }
    }

    /// Bytes that differ from offset to offset, so that a test can see where they came from; see ``pattern(_:)``.
    public static func pattern(size: Int64) -> LoopbackResource { LoopbackResource(size: size, bytes: pattern) }

    /// The bytes of a range of a ``pattern(size:)``.
    public static func pattern(_ range: Range<Int64>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        while result.count < range.count {
            let start = Int((range.lowerBound + Int64(result.count)) % Int64(period.count))
            result += period[start...].prefix(range.count - result.count)
        }
        return result
    }

    /// As long as a prime number, so that it begins at no round offset again.
    private static let period: [UInt8] = (0..<65_521).map { UInt8(truncatingIfNeeded: ($0 &* 0x9E37_79B9) >> 13) }

    /// A status, each time.
    public static func status(_ status: Int) -> LoopbackResource {
        LoopbackResource([]).with { $0.statuses = Array(repeating: status, count: 1000) }
    }

    public static func redirect(to url: String) -> LoopbackResource { LoopbackResource([]).with { $0.redirect = url } }

    /// The same with changes.
    public func with(_ change: (inout LoopbackResource) -> Void) -> LoopbackResource {
        var copy = self
        change(&copy)
        return copy
    }
}
