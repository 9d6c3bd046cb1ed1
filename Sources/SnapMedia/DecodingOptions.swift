/// How a video is decoded.
package struct DecodingOptions: Sendable {
    /// Decoder threads, 1 or more. Default 1.
    package var threads = 1
    /// The most pixels that a picture may have. Default 134,217,728 (16384 × 8192).
    package var pixelLimit: Int64 = 1 << 27

    package init() {}
}

/// What was decoded, for receipts and for tests that assert the work done.
package struct DecodingStatistics: Sendable, Hashable {
    package internal(set) var packetsSent = 0
    package internal(set) var framesDecoded = 0
    /// Jumps to another place, failed ones included.
    package internal(set) var seeks = 0
}
