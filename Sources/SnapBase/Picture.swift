/// A picture in memory: upright, rows from top to bottom; 8-bit sRGB, but for HDR video that is kept as it is.
public struct Picture: Sendable, Hashable {
    /// What each pixel is made of. The raw value is the number of channels.
    public enum Channels: Int, Sendable, Hashable {
        /// Red, green, blue.
        case rgb = 3
        /// Red, green, blue, alpha; the colours are not multiplied with alpha.
        case rgba = 4
    }

    /// In pixels, 1 or more.
    public let width: Int
    /// In pixels, 1 or more.
    public let height: Int
    public let channels: Channels
    /// 8 or 16. Of 16 bits, the high byte comes first, as in PNG.
    public let bitsPerChannel: Int
    /// ``PictureColour/sRGB`` unless ``bitsPerChannel`` is 16.
    public let colour: PictureColour
    /// `height` rows of ``bytesPerRow`` bytes.
    public let bytes: [UInt8]

    public var bytesPerPixel: Int { channels.rawValue * bitsPerChannel / 8 }

    /// The distance between the starts of two rows. There is no padding.
    public var bytesPerRow: Int { width * bytesPerPixel }

    /// - Parameters:
    ///   - width: 1 or more.
    ///   - height: 1 or more.
    ///   - channels: What a pixel is made of.
    ///   - bytes: As many as the pixels need, without padding.
    ///   - bitsPerChannel: 8, the default, or 16.
    ///   - colour: What the numbers mean. Default sRGB.
    /// - Returns: `nil` when the sizes do not fit together.
    public init?(
        width: Int, height: Int, channels: Channels, bytes: [UInt8], bitsPerChannel: Int = 8,
        colour: PictureColour = .sRGB
    ) {
        guard width > 0, height > 0, bitsPerChannel == 8 || bitsPerChannel == 16 else { return nil }
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        let bytesPerPixel = channels.rawValue * bitsPerChannel / 8
        guard !overflow, bytes.count % bytesPerPixel == 0, bytes.count / bytesPerPixel == pixels else {
            return nil
        }
        self.bitsPerChannel = bitsPerChannel
        self.colour = colour
        self.width = width
        self.height = height
        self.channels = channels
        self.bytes = bytes
    }

    /// The bytes of one pixel: red, green, blue and, where there is one, alpha.
    ///
    /// - Parameters:
    ///   - x: From the left, 0 to `width - 1`.
    ///   - y: From the top, 0 to `height - 1`.
    public subscript(x: Int, y: Int) -> ArraySlice<UInt8> {
        precondition(0..<width ~= x && 0..<height ~= y, "the pixel is outside of the picture")
        let start = y * bytesPerRow + x * bytesPerPixel
        return bytes[start..<start + bytesPerPixel]
    }
}
