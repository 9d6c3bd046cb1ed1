package import SnapBase

/// A piece of a stream that is fetched for itself; also one that is not complete yet, of which there are parts.
package struct Segment: Sendable, Hashable {
    /// As it is written, variables substituted; empty for a segment that is not complete.
    package internal(set) var uri: String
    package internal(set) var duration: MediaTime
    /// The sum of the durations before it, gaps included.
    package internal(set) var start: MediaTime
    /// Its media sequence number.
    package internal(set) var sequence: UInt64
    /// Segments of one number have continuous timestamps and one encoding: discontinuities so far.
    package internal(set) var domain: Int
    package internal(set) var byteRange: ByteRange?
    package internal(set) var map: InitializationSection?
    /// Alternatives by key format; empty where the segment is not encrypted.
    package internal(set) var keys: [Key]
    /// The segment is missing; it is never to be asked for.
    package internal(set) var isGap = false
    /// When its first sample was taken; `nil` where its own tag does not say.
    package internal(set) var programDate: WallClock?
    /// In kilobits a second, about; `nil` where not said.
    package internal(set) var bitrate: Int?
    package internal(set) var parts: [PartialSegment] = []
    /// Its place among the parts of its segment, where it is itself one of those (see ``pieces``).
    package internal(set) var part: Int?
    /// The line of its URI, from 1.
    package internal(set) var line: Int

    /// What tells it from all others of a playlist.
    package var id: ID { ID(sequence: sequence, part: part) }

    package struct ID: Sendable, Hashable {
        package let sequence: UInt64
        package let part: Int?
    }

    /// Whether it can be fetched whole.
    package var isComplete: Bool { !uri.isEmpty }

    /// What it is fetched by: itself, or the parts there are of it.
    package var pieces: [Segment] { isComplete || isGap ? [self] : partialPieces }

    /// Its parts up to the first that is missing, each as a segment.
    var partialPieces: [Segment] {
        var pieces: [Segment] = []
        var start = start
        for (index, part) in parts.enumerated() {
            if part.isGap { break }
            var piece = self
            piece.uri = part.uri
            piece.byteRange = part.byteRange
            (piece.start, piece.duration) = (start, part.duration)
            (piece.parts, piece.part, piece.isGap, piece.programDate) = ([], index, false, nil)
            pieces.append(piece)
            start = start + part.duration
        }
        return pieces
    }

    /// What decryption begins with: the key's own, else the sequence number as 16 bytes, big-endian (RFC 8216, 5.2).
    package var initializationVector: [UInt8] {
        keys.first(where: \.isIdentity)?.initializationVector ?? Self.vector(ofSequence: sequence)
    }

    private static func vector(ofSequence sequence: UInt64) -> [UInt8] {
        [UInt8](repeating: 0, count: 8) + (0..<8).map { UInt8(truncatingIfNeeded: sequence >> (56 - 8 * UInt64($0))) }
    }
}

/// Part of a resource.
package struct ByteRange: Sendable, Hashable {
    package let offset: Int64
    package let length: Int64
    package var range: Range<Int64> { offset..<offset + length }
}

/// What a decoder needs before a segment (EXT-X-MAP).
package struct InitializationSection: Sendable, Hashable {
    package internal(set) var uri: String
    package internal(set) var byteRange: ByteRange?
    /// Those in force where the map stands: it is encrypted like a segment.
    package internal(set) var keys: [Key]

    /// `nil` where no key names one: a map has no sequence number.
    package var initializationVector: [UInt8]? { keys.first(where: \.isIdentity)?.initializationVector }
}

/// Part of a segment, published before the whole (EXT-X-PART).
package struct PartialSegment: Sendable, Hashable {
    package internal(set) var uri: String
    package internal(set) var duration: MediaTime
    package internal(set) var byteRange: ByteRange?
    /// Whether it holds a key frame to begin with.
    package internal(set) var isIndependent: Bool
    package internal(set) var isGap: Bool
    /// The line of its tag, from 1.
    package internal(set) var line: Int
}
