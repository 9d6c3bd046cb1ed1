package import SnapBase

/// What was applied to make a picture of a frame.
package struct PictureReport: Sendable, Hashable {
    /// Of the picture.
    package let width: Int
    package let height: Int
    /// What the video asks for; ``isRotated`` says whether it was done.
    package let orientation: Orientation
    /// Whether the display matrix is no quarter turn, so that the nearest one stands for it.
    package let isOrientationApproximate: Bool
    package let isRotated: Bool
    /// Of the video; ``isSquared`` says whether its pixels were made square.
    package let sampleAspectRatio: AspectRatio
    package let isSquared: Bool
    /// What is shown of the fields; `nil` for a progressive frame.
    package let fields: ShownFields?
    package let colour: ColourDescription
    /// The profile of Dolby Vision whose own metadata the colours come by; `nil` where they don't.
    package let dolbyVisionProfile: Int?
    /// What became of HDR; `nil` for SDR.
    package let highDynamicRange: HighDynamicRange?
    /// The light that became white where HDR was tone-mapped; `nil` where it wasn't.
    package let peak: PeakLuminance?
    /// Sentences on what a user should know. Usually none.
    package let notes: [String]
}
