public import SnapBase

/// Which frame is taken for a position, and how it becomes a picture.
public struct SnapshotOptions: Sendable, Hashable {
    /// How far from the position the frame may be. Default ``Tolerance/exact``.
    public var tolerance = Tolerance.exact
    /// What to do when the frame lost data. Default ``DamagePolicy/nearest``.
    public var onDamage = DamagePolicy.nearest
    /// Whether a time past the end is an error instead of the last frame. Default false.
    public var isStrict = false

    /// The box that the picture is fitted to, after rotation. Default ``PictureSize/original``.
    public var size = PictureSize.original
    /// Default ``PictureFit/contain``.
    public var fit = PictureFit.contain
    /// Whether a small video may be enlarged. Default false.
    public var upscales = false
    /// Whether the picture is turned upright. Default true.
    public var rotates = true
    /// Whether pixels that are not square stay so. Default false: the width is changed.
    public var keepsSampleAspectRatio = false
    /// Default ``Deinterlacing/automatic``.
    public var deinterlacing = Deinterlacing.automatic
    /// Default ``HighDynamicRange/toneMapped``. ``HighDynamicRange/kept`` is for PNG and for pixels; a JPEG of such a
    /// picture is an error.
    public var highDynamicRange = HighDynamicRange.toneMapped
    /// Behind padding, and behind what is transparent where the picture has no alpha. Default black.
    public var background = RGBColour.black
    /// Whether the picture keeps alpha, if the video has it. Default false.
    public var keepsAlpha = false
    /// Whether encoded pictures say when and where the frame was taken, in EXIF, as far as the video knows. Default false:
    /// a picture then tells nothing of its video but what is to be seen.
    public var writesMetadata = false

    public init() {}
}
