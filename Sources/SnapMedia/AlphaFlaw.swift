/// Why a frame of a video with alpha came out without.
package enum AlphaFlaw: Sendable, Hashable {
    case missing
    /// It has another size than the picture, or a depth or layout that can't be put beside it.
    case unfit(width: Int, height: Int, format: String)
}

extension AlphaFlaw: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing: "the video has alpha, but not for this frame, which was taken for opaque"
        case .unfit(let width, let height, let format):
            "the frame's alpha (\(width)x\(height), \(format)) does not fit it, so that it was taken for opaque"
        }
    }
}
