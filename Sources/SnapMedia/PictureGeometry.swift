package import SnapBase

/// Where the pixels of a frame go: pure arithmetic, in the order crop, square pixels, upright, fit.
///
/// Sides are rounded to the nearest pixel and never become 0.
package struct PictureGeometry: Sendable, Hashable {
    /// The part of the decoded frame that is shown.
    package let source: PixelRectangle
    /// What the source is scaled to, before it is turned.
    package let scaledWidth: Int
    package let scaledHeight: Int
    package let orientation: Orientation
    /// The size of the picture.
    package let width: Int
    package let height: Int
    /// Where the turned source lies in the picture: all of it, unless there is padding around.
    package let content: PixelRectangle

    package struct Request: Sendable, Hashable {
        /// Default: as the video is shown.
        package var size = PictureSize.original
        /// Default: contain.
        package var fit = PictureFit.contain
        /// Whether a small video may be enlarged. Default `false`.
        package var upscales = false

        package init(size: PictureSize = .original, fit: PictureFit = .contain, upscales: Bool = false) {
            self.size = size
            self.fit = fit
            self.upscales = upscales
        }
    }

    /// - Parameters:
    ///   - codedWidth: Of the decoded frame, 1 or more.
    ///   - codedHeight: Of the decoded frame, 1 or more.
    ///   - isField: Whether there is a row for every second one of the picture only.
    ///   - crop: What the stream says is to be shown; where it lies outside of the frame, it is ignored.
    ///   - sampleAspectRatio: The width grows or shrinks by it; the height stays.
    ///   - orientation: Applied after it.
    ///   - request: What the picture is fitted to; sides below 1 count as 1.
    package init(
        codedWidth: Int, codedHeight: Int, isField: Bool = false, crop: PixelRectangle? = nil,
        sampleAspectRatio: AspectRatio = .square, orientation: Orientation = .upright, request: Request = Request()
    ) {
        let whole = PixelRectangle(width: codedWidth, height: codedHeight)
        let cropped = crop?.clipped(toWidth: codedWidth, height: codedHeight) ?? whole
        let squareWidth = Self.scale(
            cropped.width, by: sampleAspectRatio.numerator, over: sampleAspectRatio.denominator)
        let swaps = orientation.swapsSides
        let rows = isField ? 2 : 1
        let height = cropped.height * rows
        let natural = swaps ? Size(height, squareWidth) : Size(squareWidth, height)

        let fitted = Self.fit(natural, to: request)
        let scaled = swaps ? Size(fitted.content.height, fitted.content.width) : fitted.content
        self.orientation = orientation
        scaledWidth = scaled.width
        scaledHeight = scaled.height
        width = fitted.canvas.width
        self.height = fitted.canvas.height
        content = PixelRectangle(
            x: (fitted.canvas.width - fitted.content.width) / 2, y: (fitted.canvas.height - fitted.content.height) / 2,
            width: fitted.content.width, height: fitted.content.height)

        // Back from upright square pixels to the frame's own.
        let shown = swaps ? Size(fitted.shown.height, fitted.shown.width) : fitted.shown
        let unsquared = Self.scale(
            shown.width, by: sampleAspectRatio.denominator, over: sampleAspectRatio.numerator)
        let sourceWidth = shown.width == squareWidth ? cropped.width : min(unsquared, cropped.width)
        let sourceHeight = max(shown.height / rows, 1)
        source = PixelRectangle(
            x: cropped.x + (cropped.width - sourceWidth) / 2, y: cropped.y + (cropped.height - sourceHeight) / 2,
            width: sourceWidth, height: sourceHeight)
    }

    private struct Size {
        var width: Int
        var height: Int
        init(_ width: Int, _ height: Int) { (self.width, self.height) = (width, height) }
    }

    /// Rounds to nearest, half up; at least 1. Saturates where a hostile file would overflow.
    private static func scale(_ value: Int, by numerator: Int, over denominator: Int) -> Int {
        let product = Int128(value) * Int128(numerator) * 2 + Int128(denominator)
        return max(1, Int(clamping: product / (Int128(denominator) * 2)))
    }

    /// - Returns: The part of the natural size that is shown (around its centre), what that becomes, and the picture around it.
    private static func fit(_ natural: Size, to request: Request) -> (shown: Size, content: Size, canvas: Size) {
        let whole = (shown: natural, content: natural, canvas: natural)
        switch request.size {
        case .original: return whole
        case .width(let limit):
            let width = request.upscales ? max(limit, 1) : min(max(limit, 1), natural.width)
            let size = Size(width, scale(natural.height, by: width, over: natural.width))
            return (natural, size, size)
        case .height(let limit):
            let height = request.upscales ? max(limit, 1) : min(max(limit, 1), natural.height)
            let size = Size(scale(natural.width, by: height, over: natural.height), height)
            return (natural, size, size)
        case .box(let width, let height):
            let box = Size(max(width, 1), max(height, 1))
            let content = contain(natural, in: box, upscales: request.upscales)
            switch request.fit {
            case .contain: return (natural, content, content)
            case .pad: return (natural, content, box)
            case .stretch:
                let size =
                    request.upscales ? box : Size(min(box.width, natural.width), min(box.height, natural.height))
                return (natural, size, size)
            case .cover:
                let shown = cut(natural, toAspectOf: box)
                let fits = request.upscales || (shown.width >= box.width && shown.height >= box.height)
                return (shown, fits ? box : shown, fits ? box : shown)
            }
        }
    }

    private static func contain(_ size: Size, in box: Size, upscales: Bool) -> Size {
        if !upscales, size.width <= box.width, size.height <= box.height { return size }
        let isLimitedByWidth = Int128(size.width) * Int128(box.height) >= Int128(size.height) * Int128(box.width)
        return isLimitedByWidth
            ? Size(box.width, scale(size.height, by: box.width, over: size.width))
            : Size(scale(size.width, by: box.height, over: size.height), box.height)
    }

    private static func cut(_ size: Size, toAspectOf box: Size) -> Size {
        let isTooWide = Int128(size.width) * Int128(box.height) > Int128(size.height) * Int128(box.width)
        return isTooWide
            ? Size(min(scale(size.height, by: box.width, over: box.height), size.width), size.height)
            : Size(size.width, min(scale(size.width, by: box.height, over: box.width), size.height))
    }
}
