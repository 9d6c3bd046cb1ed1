/// What becomes of HDR video, whose transfer is PQ or HLG. SDR video is not touched by it.
public enum HighDynamicRange: String, Sendable, Hashable, CaseIterable {
    /// SDR: shadows and middle tones as they are, highlights drawn together, so that the brightest becomes white. The
    /// default.
    case toneMapped = "tonemap"
    /// SDR: what is brighter than HDR's reference white (203 cd/m²) is cut off.
    case clipped = "clip"
    /// 16 bits a channel in the video's own transfer and primaries, for PNG.
    case kept = "keep"
}
