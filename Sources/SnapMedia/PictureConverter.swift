import CFFmpeg
package import SnapBase

/// Makes pictures of decoded frames: cropped, upright, with square pixels, deinterlaced, fitted, 8-bit sRGB.
///
/// Keep one for frames of the same stream: the scaler's set-up is reused while their format and the options stay the same.
package struct PictureConverter: ~Copyable {
    /// More than any video has: what a picture may hold at most, so that a hostile sample aspect ratio can't eat memory.
    package static let mostPixels = 1 << 27

    private var scaler = PlaneScaler()
    private var rows: (transform: ColourTransform, colour: ColourDescription, converter: RowConverter)?

    package init() {}

    /// Makes a picture of a frame.
    ///
    /// - Parameters:
    ///   - frame: As decoded; stays as it is.
    ///   - facts: What its stream says.
    ///   - options: What is wanted.
    /// - Returns: The picture, RGBA if alpha is wanted and the frame has it, else RGB; and what was applied.
    /// - Throws: ``PictureError``; never a picture in wrong colours.
    package mutating func picture(
        from frame: borrowing VideoFrame, facts: StreamFacts = StreamFacts(), options: PictureOptions = PictureOptions()
    ) throws(PictureError) -> (picture: Picture, report: PictureReport) {
        let description = try FrameDescription(of: frame, facts: facts)
        let (format, colour, orientation) = (description.format, description.colour, description.orientation)
        if let dynamicRange = description.highDynamicRange { throw .highDynamicRange(transfer: dynamicRange) }
        let geometry = description.geometry(options)
        try Self.checkSize(geometry)

        var planes = unsafe try PlanarFrame.reading(frame.pointer, format: format)
        let transform = try ColourTransform(colour, model: format.model, white: planes.layout.white)
        var notes: [String] = []
        if description.isOrientationApproximate {
            notes.append("the display matrix is no quarter turn; the nearest was taken")
        }
        var isDeinterlaced = false
        if options.deinterlacing == .always || (options.deinterlacing == .automatic && frame.isInterlaced) {
            if let still = try Deinterlacer.still(from: planes, keepsTopField: frame.isTopFieldFirst) {
                planes = still
                isDeinterlaced = true
            } else {
                notes.append("interlaced, but \(format.name) of this height can't be deinterlaced")
            }
        }

        let position = unsafe ChromaPosition(
            frame.pointer.pointee.chroma_location, format: format, codec: facts.codec)
        let upright = try scaled(planes, geometry, position, transform, colour)
        let turned = geometry.orientation.apply(
            to: options.wantsAlpha ? upright : upright.flattened(onto: options.background))
        let report = PictureReport(
            width: geometry.width, height: geometry.height, orientation: orientation,
            isOrientationApproximate: description.isOrientationApproximate,
            isRotated: options.rotates && orientation != .upright,
            sampleAspectRatio: description.sampleAspectRatio,
            isSquared: !options.keepsSampleAspectRatio && description.sampleAspectRatio != .square,
            isDeinterlaced: isDeinterlaced, colour: colour, notes: notes)
        return (turned.padded(to: geometry, with: options.background), report)
    }

    private static func checkSize(_ geometry: PictureGeometry) throws(PictureError) {
        for (width, height) in [(geometry.width, geometry.height), (geometry.scaledWidth, geometry.scaledHeight)] {
            let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
            if overflow || pixels > mostPixels { throw .tooLarge(width: width, height: height) }
        }
    }

    private mutating func scaled(
        _ planes: borrowing PlanarFrame, _ geometry: PictureGeometry, _ position: ChromaPosition,
        _ transform: ColourTransform, _ colour: ColourDescription
    ) throws(PictureError) -> Picture {
        if rows?.transform != transform || rows?.colour != colour {
            rows = (transform, colour, RowConverter(transform, wide: WideColour(colour)))
        }
        guard var converter = rows?.converter else { throw .empty }
        let (layout, source) = (planes.layout, geometry.source)
        let isSameSize = source.width == geometry.scaledWidth && source.height == geometry.scaledHeight
        if isSameSize, layout.fills16Bits, !layout.isSemiPlanar, !layout.isForeignEndian, layout.chromaShiftX == 0,
            layout.chromaShiftY == 0
        {
            return try Self.converted(planes, part: source, &converter)
        }
        // An odd start cuts a chroma sample in two: what is left of it begins before the first luma sample.
        let parameters = PlaneScaler.Parameters(
            layout: layout, source: source, width: geometry.scaledWidth, height: geometry.scaledHeight,
            chromaX: position.x - 256 * (source.x & ((1 << layout.chromaShiftX) - 1)),
            chromaY: position.y - 256 * (source.y & ((1 << layout.chromaShiftY) - 1)))
        return try scaler.scale(planes, parameters) { planes throws(PictureError) in
            let whole = PixelRectangle(width: planes.width, height: planes.height)
            return try Self.converted(planes, part: whole, &converter)
        }
    }

    /// 4:4:4 samples of 16 bits to a picture of the same size.
    private static func converted(
        _ planes: borrowing PlanarFrame, part: PixelRectangle, _ converter: inout RowConverter
    ) throws(PictureError) -> Picture {
        let channels: Picture.Channels = planes.layout.hasAlpha ? .rgba : .rgb
        let sources = (try planes.plane(of: 0), try planes.plane(of: 1), try planes.plane(of: 2))
        let alpha = planes.layout.hasAlpha ? try planes.plane(of: 3) : nil
        let white = planes.layout.white
        let step = channels.rawValue
        let size = part.width * part.height * step
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { target, count in
            guard let target = target.baseAddress else { return }
            for y in 0..<part.height {
                let row = unsafe target + y * part.width * step
                let samples = { (plane: PlanarFrame.Plane) in
                    unsafe UnsafePointer(plane.row(part.y + y, of: UInt16.self) + part.x)
                }
                unsafe converter.convert(
                    (samples(sources.0), samples(sources.1), samples(sources.2)), count: part.width, to: row, step: step
                )
                guard let alpha else { continue }
                let opacity = unsafe samples(alpha)
                for x in 0..<part.width {
                    unsafe row[4 * x + 3] = UInt8(min((Int(opacity[x]) * 255 + white / 2) / white, 255))
                }
            }
            count = size
        }
        guard let picture = Picture(width: part.width, height: part.height, channels: channels, bytes: bytes) else {
            throw .empty
        }
        return picture
    }
}
