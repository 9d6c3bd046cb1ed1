import SnapBase

/// How a video is decoded.
package struct DecodingOptions: Sendable {
    /// Decoder threads, 1 or more. Default 1.
    package var threads = 1
    /// The most pixels that a picture may have. Default 134,217,728 (16384 × 8192).
    package var pixelLimit: Int64 = 1 << 27
    /// Whether pictures are left out that the frame asked for can't be predicted from. Default true; without, the same
    /// frames come out, later.
    package var isSparing = true

    /// Whether one key frame is all that will be decoded, so that threads for several frames would start for nothing.
    package var isForOneKeyFrame = false

    package init() {}

    /// As many threads as the machine has cores, at most 4: more wait for each other within a group of pictures.
    package static var defaultThreads: Int { min(coreCount, 4) }
}

/// What was decoded, for receipts and for tests that assert the work done.
package struct DecodingStatistics: Sendable, Hashable {
    package internal(set) var packetsSent = 0
    /// Packets that were read and needed no decoding.
    package internal(set) var packetsLeftOut = 0
    package internal(set) var framesDecoded = 0
    /// Jumps to another place, failed ones included.
    package internal(set) var seeks = 0

    package init() {}

    /// Adds what another decoder did.
    package mutating func add(_ other: DecodingStatistics) {
        packetsSent += other.packetsSent
        packetsLeftOut += other.packetsLeftOut
        framesDecoded += other.framesDecoded
        seeks += other.seeks
    }
}
