import Foundation

/// A picture as red, green and blue bytes, three a pixel: what a decoded frame is compared as.
public struct RGBPicture: Sendable, Equatable {
    public let width: Int
    public let height: Int
    /// Bytes from one row to the next: at least three times ``width``.
    public let bytesPerRow: Int
    public let bytes: [UInt8]

    /// - Precondition: `bytes` holds `height` rows; the last one may end after its last pixel.
    public init(width: Int, height: Int, bytesPerRow: Int? = nil, bytes: [UInt8]) {
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow ?? width * 3
        self.bytes = bytes
        precondition(width > 0 && height > 0 && self.bytesPerRow >= width * 3, "a picture has pixels")
        precondition(bytes.count >= (height - 1) * self.bytesPerRow + width * 3, "bytes are missing")
    }

    /// Red, green and blue of a pixel; (0, 0) is the top left one.
    public subscript(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
        let offset = y * bytesPerRow + x * 3
        return (bytes[offset], bytes[offset + 1], bytes[offset + 2])
    }

    /// The mean brightness of a rectangle, 0…255, by the weights of BT.601.
    public func brightness(columns: Range<Int>, rows: Range<Int>) -> Double {
        var sum = 0
        bytes.withUnsafeBufferPointer { bytes in
            for y in rows {
                var offset = y * bytesPerRow + columns.lowerBound * 3
                for _ in columns {
                    sum += 299 * Int(bytes[offset]) + 587 * Int(bytes[offset + 1]) + 114 * Int(bytes[offset + 2])
                    offset += 3
                }
            }
        }
        return Double(sum) / Double(1000 * columns.count * rows.count)
    }

    /// The same picture, turned.
    public func turned(by turn: Turn) -> RGBPicture {
        let size = turn.size(width: width, height: height)
        var result = [UInt8](repeating: 0, count: size.width * size.height * 3)
        for y in 0..<height {
            for x in 0..<width {
                let place = turn.position(ofX: x, y: y, width: width, height: height)
                let (from, to) = (y * bytesPerRow + x * 3, (place.y * size.width + place.x) * 3)
                result[to] = bytes[from]
                result[to + 1] = bytes[from + 1]
                result[to + 2] = bytes[from + 2]
            }
        }
        return RGBPicture(width: size.width, height: size.height, bytes: result)
    }

    /// The peak signal-to-noise ratio against a picture of the same size, in dB; infinite when they are equal.
    ///
    /// - Returns: `nil` when the sizes differ.
    public func peakSignalToNoise(against other: RGBPicture) -> Double? {
        guard width == other.width, height == other.height else { return nil }
        var sum = 0
        for y in 0..<height {
            for i in 0..<(width * 3) {
                let difference = Int(bytes[y * bytesPerRow + i]) - Int(other.bytes[y * other.bytesPerRow + i])
                sum += difference * difference
            }
        }
        guard sum > 0 else { return .infinity }
        let mean = Double(sum) / Double(width * height * 3)
        return 10 * log10(255 * 255 / mean)
    }
}
