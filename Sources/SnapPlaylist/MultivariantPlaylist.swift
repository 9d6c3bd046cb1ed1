package import SnapBase

/// A list of the variants of one stream (RFC 8216, 4.3.4; there called master playlist).
package struct MultivariantPlaylist: Sendable, Hashable {
    package internal(set) var variants: [Variant] = []
    /// Lists of key frames only (EXT-X-I-FRAME-STREAM-INF).
    package internal(set) var iFrameVariants: [Variant] = []
    package internal(set) var renditions: [AlternativeRendition] = []
    package internal(set) var sessionKeys: [Key] = []
    package internal(set) var hasIndependentSegments = false
    package internal(set) var definitions: [String: String] = [:]

    /// The same stream with other variants to choose from.
    package func withVariants(_ variants: [Variant]) -> MultivariantPlaylist {
        var copy = self
        copy.variants = variants
        return copy
    }

    /// Where a variant's video is: in a rendition of its own where its VIDEO group names one, else in the variant.
    package func videoURI(of variant: Variant) -> String {
        guard let group = variant.videoGroup else { return variant.uri }
        let alternatives = renditions.filter { $0.kind == "VIDEO" && $0.group == group }
        let chosen = alternatives.first(where: \.isDefault) ?? alternatives.first
        return chosen?.uri ?? variant.uri
    }
}

/// One encoding of a stream (EXT-X-STREAM-INF).
package struct Variant: Sendable, Hashable {
    package internal(set) var uri: String
    /// At most, in bits a second.
    package internal(set) var bandwidth: Int64?
    package internal(set) var averageBandwidth: Int64?
    /// In the notation of RFC 6381; empty where not said.
    package internal(set) var codecs: [String]
    /// In pixels.
    package internal(set) var width: Int?
    package internal(set) var height: Int?
    package internal(set) var frameRate: MediaTime?
    /// `SDR`, `HLG` or `PQ`; `nil` where not said, which means SDR.
    package internal(set) var videoRange: String?
    package internal(set) var videoGroup: String?
    package internal(set) var audioGroup: String?
    /// The line of its tag, from 1.
    package internal(set) var line: Int
}

/// Another language, camera or the like (EXT-X-MEDIA).
package struct AlternativeRendition: Sendable, Hashable {
    /// `VIDEO`, `AUDIO`, `SUBTITLES`, `CLOSED-CAPTIONS`.
    package internal(set) var kind: String
    package internal(set) var group: String
    package internal(set) var uri: String?
    package internal(set) var isDefault: Bool
}
