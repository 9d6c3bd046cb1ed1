import CFFmpeg
package import SnapBase

/// Makes pictures of decoded frames: cropped, upright, with square pixels, deinterlaced, fitted, 8-bit sRGB, or 16 bits
/// of HDR as it is.
///
/// Keep one for frames of the same stream: the scaler's set-up is reused while their format and the options stay the same.
package struct PictureConverter: ~Copyable {
    /// More than any video has: what a picture may hold at most, so that a hostile sample aspect ratio can't eat memory.
    package static let mostPixels = 1 << 27

    private var scaler = PlaneScaler()
    private var renderer: PictureRenderer?

    package init() {}

    /// Makes a picture of a frame.
    ///
    /// - Parameters:
    ///   - frame: As decoded; stays as it is.
    ///   - neighbours: The frames around it, for one that is interlaced.
    ///   - facts: What its stream says.
    ///   - options: What is wanted.
    /// - Returns: The picture, RGBA if alpha is wanted and the frame has it, else RGB; and what was applied.
    /// - Throws: ``PictureError``; never a picture in wrong colours.
    package mutating func picture(
        from frame: borrowing VideoFrame, neighbours: borrowing FrameNeighbours = FrameNeighbours(),
        facts: StreamFacts = StreamFacts(), options: PictureOptions = PictureOptions()
    ) throws(PictureError) -> (picture: Picture, report: PictureReport) {
        let description = try FrameDescription(of: frame, facts: facts)
        let (format, colour, orientation) = (description.format, description.colour, description.orientation)
        if let profile = description.dolbyVisionProfile, !description.hasNeededMetadata {
            throw .noDolbyVisionMetadata(profile: profile)
        }
        let geometry = description.geometry(options)
        try Self.checkSize(geometry)

        var planes = unsafe try PlanarFrame.reading(frame.pointer, format: format)
        let transform =
            description.dolbyVision == nil
            ? try ColourTransform(colour, model: format.model, white: planes.layout.white) : .samples
        var notes = [frame.alphaFlaw?.description].compactMap(\.self)
        if facts.hasAlphaLayer, !format.hasAlpha, frame.alphaFlaw == nil {
            notes.append("the alpha of this video is a layer of HEVC that can't be decoded; the picture is opaque")
        }
        if facts.hasAlphaItem, !format.hasAlpha {
            notes.append("the alpha of this picture is another item of its file, which is not decoded; it is opaque")
        }
        notes += description.notes
        var fields = frame.isInterlaced ? ShownFields.coded : nil
        if let deinterlacer = Deinterlacer(options.deinterlacing, for: frame) {
            let before = try Self.planes(of: neighbours.before, format)
            let after = try Self.planes(of: neighbours.after, format)
            if let still = try deinterlacer.still(from: planes, before: before, after: after) {
                fields = still.fields
                if let made = still.planes { planes = made }
            } else {
                notes.append("interlaced, but \(format.name) of this height can't be deinterlaced")
            }
        }

        let position = unsafe ChromaPosition(
            frame.pointer.pointee.chroma_location, format: format, codec: facts.codec)
        let dynamicRange = description.isHighDynamicRange ? options.highDynamicRange : nil
        let rendering = PictureRenderer.Rendering(
            transform: transform, colour: colour, dolbyVision: description.dolbyVision, highDynamicRange: dynamicRange,
            light: description.contentLight)
        if renderer?.rendering != rendering { renderer = PictureRenderer(rendering) }
        let upright = try scaled(planes, geometry, position, isPremultiplied: frame.isPremultiplied && format.hasAlpha)
        let turned = geometry.orientation.apply(
            to: options.wantsAlpha ? upright : upright.flattened(onto: options.background))
        let report = PictureReport(
            width: geometry.width, height: geometry.height, orientation: orientation,
            isOrientationApproximate: description.isOrientationApproximate,
            isRotated: options.rotates && orientation != .upright,
            sampleAspectRatio: description.sampleAspectRatio,
            isSquared: !options.keepsSampleAspectRatio && description.sampleAspectRatio != .square,
            fields: fields, colour: colour, dolbyVisionProfile: description.dolbyVisionProfile,
            highDynamicRange: dynamicRange, peak: renderer?.peak, notes: notes)
        return (turned.padded(to: geometry, with: options.background), report)
    }

    /// The planes of a neighbour; `nil` for one of another pixel format.
    private static func planes(
        of frame: borrowing VideoFrame?, _ format: PixelFormat
    ) throws(PictureError) -> PlanarFrame? {
        switch frame {
        case .some(let frame):
            guard unsafe frame.pointer.pointee.format == format.code.rawValue else { return nil }
            return unsafe try PlanarFrame.reading(frame.pointer, format: format)
        case .none: return nil
        }
    }

    private static func checkSize(_ geometry: PictureGeometry) throws(PictureError) {
        for (width, height) in [(geometry.width, geometry.height), (geometry.scaledWidth, geometry.scaledHeight)] {
            let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
            if overflow || pixels > mostPixels { throw .tooLarge(width: width, height: height) }
        }
    }

    private mutating func scaled(
        _ planes: borrowing PlanarFrame, _ geometry: PictureGeometry, _ position: ChromaPosition,
        isPremultiplied: Bool
    ) throws(PictureError) -> Picture {
        guard var renderer else { throw .empty }
        defer { self.renderer = renderer }
        let (layout, source) = (planes.layout, geometry.source)
        let isSameSize = source.width == geometry.scaledWidth && source.height == geometry.scaledHeight
        if isSameSize, !isPremultiplied, layout.fills16Bits, !layout.isSemiPlanar, !layout.isForeignEndian,
            layout.chromaShiftX == 0,
            layout.chromaShiftY == 0
        {
            return try renderer.picture(of: planes, part: source)
        }
        // An odd start cuts a chroma sample in two: what is left of it begins before the first luma sample.
        let parameters = PlaneScaler.Parameters(
            layout: layout, source: source, width: geometry.scaledWidth, height: geometry.scaledHeight,
            chromaX: position.x - 256 * (source.x & ((1 << layout.chromaShiftX) - 1)),
            chromaY: position.y - 256 * (source.y & ((1 << layout.chromaShiftY) - 1)),
            black: renderer.rendering.transform.black, isPremultiplied: isPremultiplied)
        return try scaler.scale(planes, parameters) { planes throws(PictureError) in
            let whole = PixelRectangle(width: planes.width, height: planes.height)
            return try renderer.picture(of: planes, part: whole)
        }
    }
}
