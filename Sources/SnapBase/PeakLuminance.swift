/// The brightest light of HDR video: what becomes white where highlights are drawn together, and how it is known.
public struct PeakLuminance: Sendable, Hashable {
    public enum Source: String, Sendable, Hashable {
        /// The brightest pixel of the frame's scene, by the frame's metadata (HDR10+, SMPTE ST 2094-40).
        case scene
        /// The brightest pixel, by the video's metadata (MaxCLL, CTA-861.3).
        case contentLightLevel
        /// The display on which the video was graded, by its metadata (SMPTE ST 2086).
        case masteringDisplay
        /// All but a thousandth of the picture's pixels are darker.
        case measured
        /// HLG on a display of 1000 cd/m², which Recommendation ITU-R BT.2100 takes for reference.
        case nominal
    }

    /// In cd/m², 1 to 10,000.
    public let luminance: Double
    public let source: Source

    package init(luminance: Double, source: Source) {
        self.luminance = luminance
        self.source = source
    }
}
