/// Where the bytes of a video come from: the one protocol between storage and the demuxer.
///
/// A source is read by one thread at a time and need not be `Sendable`. Reads block; a source that can wait for long
/// (a network, a pipe) is given an ``Interrupt`` when it is made and must give up when that says so.
public protocol ByteSource: AnyObject {
    /// Reads bytes from a position.
    ///
    /// - Parameters:
    ///   - buffer: Where to put them; at least one byte long.
    ///   - offset: Bytes from the start, 0 or more. May be past the end.
    /// - Returns: How many bytes were read, at least 1 before the end; 0 at the end or past it. Fewer than the
    ///   buffer holds is no sign of the end.
    /// - Throws: Whatever tells best what went wrong; it reaches the caller as the cause of the failure.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int

    /// The length in bytes, or `nil` while it is not known. May ask for it, but should not read everything to find out.
    func size() throws -> Int64?

    /// Whether a read at an earlier or much later offset is about as cheap as the next one.
    ///
    /// Where it is false, the demuxer reads forward only and a position behind the present one means starting over.
    var isSeekable: Bool { get }

    /// Tells which bytes are likely to be read next, so that they can be asked for at once.
    ///
    /// Does nothing by default. A source may ignore it, and none of these bytes need be read.
    func willRead(_ range: Range<Int64>)

    /// What was done so far.
    var statistics: ByteSourceStatistics { get }
}

extension ByteSource {
    public var isSeekable: Bool { true }
    public func willRead(_ range: Range<Int64>) {}
    public var statistics: ByteSourceStatistics { ByteSourceStatistics() }
}

/// What a byte source did, as the receipt tells it.
public struct ByteSourceStatistics: Sendable, Hashable {
    /// Bytes that arrived from the network or storage, those read and thrown away included.
    public var bytesRead: Int64 = 0
    /// Requests made, redirects and retries included; 0 for local sources.
    public var requests = 0
    /// Connections opened; 0 for local sources.
    public var connections = 0
    /// What tells this state of the resource from others, as its server says it: the length, and the ETag or else the
    /// time of the last change. `nil` for local sources, for streams, and where the server says none of it.
    public var version: String?
    /// Things a user should know, such as a server without byte ranges. In the order in which they came up.
    public var notes: [String] = []

    public init() {}
}
