/// What a stream may cost; each limit is named in the error that it causes.
struct StreamLimits: Sendable {
    /// Of one segment.
    var segmentBytes = 64 << 20
    /// Of an initialization section.
    var mapBytes = 4 << 20
    /// Of a key: 16, and enough to tell what came instead.
    var keyBytes = 1024
    /// Of all segments that are kept for other times.
    var keptBytes = 96 << 20
    /// Initialization sections and keys that are kept while a live stream goes on.
    var keptMaps = 16
    var keptKeys = 256
    /// Different notes to the user about one stream.
    var notes = 32
    /// Segments before the one of a time in which a key frame is looked for.
    var segmentsBack = 8
    /// Segments that are looked at to find a time by their own timestamps.
    var segmentsLookedAt = 8
}
