package import SnapBase

/// What is wanted of a picture.
package struct PictureOptions: Sendable, Hashable {
    /// Default: as the video is shown.
    package var size = PictureSize.original
    /// Default: contain.
    package var fit = PictureFit.contain
    /// Whether a small video may be enlarged. Default `false`.
    package var upscales = false
    /// Whether the picture is turned upright. Default `true`.
    package var rotates = true
    /// Whether samples stay as they are where they are not square. Default `false`: the width is changed.
    package var keepsSampleAspectRatio = false
    /// Default: where the frame is flagged as interlaced.
    package var deinterlacing = Deinterlacing.automatic
    /// Default: tone-mapped.
    package var highDynamicRange = HighDynamicRange.toneMapped
    /// Behind padding, and behind what is transparent where alpha is not wanted. Default black.
    package var background = RGBColour.black
    /// Whether the picture keeps alpha, if the video has it. Default `false`.
    package var wantsAlpha = false

    package init() {}
}
