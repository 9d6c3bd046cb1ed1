/// A picture in memory: 8-bit sRGB pixels, upright, rows from top to bottom.
public struct Picture: Sendable, Hashable {
    /// What each pixel is made of. The raw value is the number of bytes in a pixel.
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
    /// `height` rows of ``bytesPerRow`` bytes.
    public let bytes: [UInt8]

    /// The distance between the starts of two rows. There is no padding.
    public var bytesPerRow: Int { width * channels.rawValue }

    /// - Parameters:
    ///   - width: 1 or more.
    ///   - height: 1 or more.
    ///   - channels: What a pixel is made of.
    ///   - bytes: As many as the pixels need, without padding.
    /// - Returns: `nil` when the sizes do not fit together.
    public init?(width: Int, height: Int, channels: Channels, bytes: [UInt8]) {
        guard width > 0, height > 0 else { return nil }
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, bytes.count % channels.rawValue == 0, bytes.count / channels.rawValue == pixels else {
            return nil
        }
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
        let start = y * bytesPerRow + x * channels.rawValue
        return bytes[start..<start + channels.rawValue]
    }
}
