import CFFmpeg

/// How a video is decoded.
package struct DecodingOptions: Sendable {
    /// Decoder threads, 1 or more. Default 1.
    package var threads = 1
    /// The most pixels that a picture may have. Default 134,217,728 (16384 × 8192).
    package var pixelLimit: Int64 = 1 << 27

    package init() {}

    /// As many threads as the machine has cores, at most 4: more wait for each other within a group of pictures.
    package static var defaultThreads: Int { min(Machine.cores, 4) }
}

/// What snap runs on.
package enum Machine {
    /// The cores that this process may use. The corresponding C function is `av_cpu_count`.
    package static var cores: Int { max(Int(av_cpu_count()), 1) }
}

/// What was decoded, for receipts and for tests that assert the work done.
package struct DecodingStatistics: Sendable, Hashable {
    package internal(set) var packetsSent = 0
    package internal(set) var framesDecoded = 0
    /// Jumps to another place, failed ones included.
    package internal(set) var seeks = 0

    package init() {}

    /// Adds what another decoder did.
    package mutating func add(_ other: DecodingStatistics) {
        packetsSent += other.packetsSent
        framesDecoded += other.framesDecoded
        seeks += other.seeks
    }
}
