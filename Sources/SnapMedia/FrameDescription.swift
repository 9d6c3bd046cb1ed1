import CFFmpeg

/// How a decoded frame is to be read: its pixel format, its colours, which way up it lies, and the shape of its samples.
package struct FrameDescription {
    package let colour: ColourDescription
    package let orientation: Orientation
    /// Whether the display matrix is no quarter turn, so that the nearest one stands for it.
    package let isOrientationApproximate: Bool
    package let sampleAspectRatio: AspectRatio
    /// The profile of Dolby Vision if the colours come by its own metadata; `nil` for the rest.
    package let dolbyVisionProfile: Int?
    /// These metadata; `nil` if the frame has none that can be true, though its colours would need them.
    let dolbyVision: DolbyVision?
    /// What the stream or the frame says of the video's brightest light.
    let contentLight: ContentLight
    /// Sentences on what a user should know of the frame and its geometry. Usually none.
    package let notes: [String]
    let format: PixelFormat
    private let width: Int
    private let height: Int
    private let isField: Bool
    /// The part that is shown; `nil` for all of it.
    private let crop: PixelRectangle?

    /// - Throws: ``PictureError`` for pixels that can't be read at all.
    package init(of frame: borrowing VideoFrame, facts: StreamFacts) throws(PictureError) {
        guard frame.width > 0, frame.height > 0 else { throw .empty }
        let code = unsafe AVPixelFormat(frame.pointer.pointee.format)
        guard let format = PixelFormat(code) else { throw .unsupportedFormat("number \(code.rawValue)") }
        if format.isHardware { throw .hardwareFormat(format.name) }
        self.format = format
        let metadata = DolbyVision(of: frame)
        let isKnown = facts.dolbyVisionProfile != nil
        let isNeeded = isKnown ? facts.needsDolbyVision : metadata?.isProfile5 ?? false
        dolbyVisionProfile = isNeeded ? facts.dolbyVisionProfile ?? 5 : nil
        dolbyVision = isNeeded ? metadata : nil
        colour =
            dolbyVision.map(ColourDescription.init)
            ?? ColourDescription(
                tags: frame.colourTags.completed(by: facts), format: format, codec: facts.codec, width: frame.width,
                height: frame.height)
        contentLight = ContentLight(of: frame).completed(by: facts.contentLight)
            .completed(by: ContentLight(brightestPixel: nil, masteringPeak: metadata?.masteringPeak))
        let turn = (frame.displayMatrix ?? facts.displayMatrix).flatMap(Orientation.nearest(toDisplayMatrix:))
        (orientation, isOrientationApproximate) = turn ?? (.upright, false)
        notes =
            (isOrientationApproximate ? ["the display matrix is no quarter turn; the nearest was taken"] : [])
            + (frame.isField ? ["each field of this video is coded as a picture; this is one, at full height"] : [])
            + (facts.showsOtherFiles ? ["chapters that show other files are left out; times count without them"] : [])
            + ViewLayout(of: frame).completed(by: facts.viewLayout).notes
        sampleAspectRatio = facts.sampleAspectRatio ?? frame.sampleAspectRatio ?? .square
        (width, height) = (frame.width, frame.height)
        isField = frame.isField
        let size = PixelRectangle(width: frame.width, height: frame.height)
        let isForThisSize = (facts.apertureFrame ?? size) == size
        crop = (isForThisSize ? facts.cleanAperture : nil) ?? frame.crop
    }

    /// Whether the colours are known, as far as Dolby Vision goes.
    package var hasNeededMetadata: Bool { dolbyVisionProfile == nil || dolbyVision != nil }

    /// Whether the transfer is PQ or HLG.
    package var isHighDynamicRange: Bool { TransferFunction(colour.transferCode).isHighDynamicRange }

    /// The name of the pixel format, such as `yuv420p`.
    package var pixelFormat: String { format.name }

    /// Where the pixels go for a picture as it is wanted.
    package func geometry(_ options: PictureOptions = PictureOptions()) -> PictureGeometry {
        PictureGeometry(
            codedWidth: width, codedHeight: height, isField: isField, crop: crop,
            sampleAspectRatio: options.keepsSampleAspectRatio ? .square : sampleAspectRatio,
            orientation: options.rotates ? orientation : .upright,
            request: .init(size: options.size, fit: options.fit, upscales: options.upscales))
    }
}
