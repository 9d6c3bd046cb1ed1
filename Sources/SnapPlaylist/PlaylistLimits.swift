/// What a playlist may hold. Each limit is named in the error that it causes.
package struct PlaylistLimits: Sendable, Hashable {
    /// Bytes of a list of variants. Default 1 MiB.
    package var multivariantByteCount = 1 << 20
    /// Bytes of a list of segments. Default 8 MiB.
    package var mediaByteCount = 8 << 20
    /// Bytes of a line. Default 64 KiB.
    package var lineByteCount = 1 << 16
    /// Bytes of a URI, variables substituted. Default 8 KiB.
    package var uriByteCount = 8192
    /// Default 50,000.
    package var segments = 50_000
    /// Variants, those of key frames included, and alternative renditions, each. Default 256.
    package var variants = 256
    /// Variables. Default 1000.
    package var variables = 1000

    package init() {}
}

/// What a playlist's text can't know of itself.
package struct PlaylistContext: Sendable, Hashable {
    package var limits = PlaylistLimits()
    /// Parameters of the playlist's own URL, for variables that come from there.
    package var queryParameters: [String: String] = [:]
    /// What the multivariant playlist defines, for a media playlist that imports it.
    package var importedVariables: [String: String] = [:]

    package init() {}
}
