/// How many bytes to ask for at once.
///
/// An HTTP/1.1 request that is given up in mid-body costs its connection and whatever fills the sockets' buffers, so
/// bounded ranges are asked for: small at first, growing in proportion to what was read in one go. What is read too
/// much is then at most 256 KB, or a quarter of what was needed.
struct RangeWindow: Sendable, Hashable {
    private static let usualFirst: Int64 = 131_072
    private static let usual: Int64 = 262_144
    private static let largest: Int64 = 4_194_304
    /// The shortest that is asked for where it is known what is wanted: a little may be lacking.
    private static let shortest: Int64 = 32_768

    /// A gap that is read through rather than jumped over: it takes about as long as asking again.
    static let readThrough: Int64 = 65_536
    /// The rest of a window that is awaited rather than given up: it costs less than a new connection.
    static let worthFinishing: Int64 = 262_144

    private let expected: ExpectedBytes?
    private let first: Int64
    private var announced: Range<Int64> = 0..<0
    private var end: Int64 = -1
    private var sequential: Int64 = 0
    /// Windows behind what was expected to be wanted.
    private var additions = 0

    /// - Parameter expected: What is likely to be wanted, where that is known. Default: 128 KB first.
    init(expected: ExpectedBytes? = nil) {
        self.expected = expected
        first = max(expected?.first ?? Self.usualFirst, 1024)
    }

    /// Bytes that will be read are asked for at once.
    mutating func announce(_ range: Range<Int64>) { announced = range }

    /// The length to ask for at an offset. Windows that follow each other grow.
    ///
    /// - Parameter whole: The bytes that there are, where that is known.
    mutating func next(at offset: Int64, of whole: Range<Int64>? = nil) -> Int64 {
        let follows = end >= 0 && offset >= end && offset - end <= Self.readThrough
        if !follows { (sequential, additions) = (0, 0) }
        let length =
            announced.contains(offset)
            ? min(announced.upperBound - offset, Self.largest)
            : sequential == 0 ? first : following(at: offset, of: whole)
        sequential += length
        end = offset + length
        return length
    }

    private mutating func following(at offset: Int64, of whole: Range<Int64>?) -> Int64 {
        let usual = min(max(Self.usual, sequential / 4), Self.largest)
        guard let expected else { return usual }
        if let whole {
            let left = whole.lowerBound + expected.wanted(of: Int64(whole.count)) - offset
            if left > 0 { return max(left, Self.shortest) }
        }
        // Whoever goes on behind that reads for something else.
        additions += 1
        return additions == 1 ? min(max(Self.shortest, sequential / 8), Self.largest) : usual
    }
}
