/// How many bytes to ask for at once.
///
/// An HTTP/1.1 request that is given up in mid-body costs its connection and whatever fills the sockets' buffers, so
/// bounded ranges are asked for: small at first, growing in proportion to what was read in one go. What is read too
/// much is then at most 256 KB, or a quarter of what was needed.
struct RangeWindow: Sendable, Hashable {
    private static let usualFirst: Int64 = 131_072
    private static let usual: Int64 = 262_144
    private static let largest: Int64 = 4_194_304

    /// A gap that is read through rather than jumped over: it takes about as long as asking again.
    static let readThrough: Int64 = 65_536
    /// The rest of a window that is awaited rather than given up: it costs less than a new connection.
    static let worthFinishing: Int64 = 262_144

    private let first: Int64
    private var end: Int64 = -1
    private var sequential: Int64 = 0

    /// - Parameter expected: How many bytes are likely to be wanted, where that is known. Default: 128 KB.
    init(expected: Int64? = nil) { first = max(expected ?? Self.usualFirst, 1024) }

    /// The length to ask for at an offset. Windows that follow each other grow.
    mutating func next(at offset: Int64) -> Int64 {
        let follows = end >= 0 && offset >= end && offset - end <= Self.readThrough
        if !follows { sequential = 0 }
        let length = sequential == 0 ? first : min(max(Self.usual, sequential / 4), Self.largest)
        sequential += length
        end = offset + length
        return length
    }
}
