/// Which variant of an HLS stream is taken.
public enum VariantSelection: Sendable, Hashable {
    /// The smallest that fills the picture, or the largest where no size is asked for.
    case automatic
    case smallest
    case largest
    /// By its place in the playlist, counted from 0.
    case index(Int)
    case size(width: Int, height: Int)
    /// By its BANDWIDTH or AVERAGE-BANDWIDTH, in bits a second.
    case bandwidth(Int64)
}
