/// How a picture is fitted to a box whose aspect is another.
///
/// With ``PictureSize/width(_:)`` and ``PictureSize/height(_:)`` all of them mean ``contain``.
public enum PictureFit: String, Sendable, Hashable, CaseIterable {
    /// Whole and undistorted; one side may be shorter than the box.
    case contain
    /// Fills the box; what sticks out, equally on both sides, is cut off.
    case cover
    /// Fills the box, distorted.
    case stretch
    /// As ``contain``, centred on a background that fills the box exactly.
    case pad
}
