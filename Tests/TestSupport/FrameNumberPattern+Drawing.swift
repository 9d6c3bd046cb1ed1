extension FrameNumberPattern {
    /// The smallest picture that the pattern is drawn in; see ``FlatPattern`` for smaller ones.
    public static let smallestWidth = 64

    /// The picture of a number.
    ///
    /// - Parameters:
    ///   - number: 0…65535.
    ///   - width: ``smallestWidth`` or more.
    ///   - height: 30 or more.
    public static func picture(of number: Int, width: Int, height: Int) -> RGBPicture {
        let blocks = blocks(of: UInt16(number))
        let across = (0..<width).map { wave($0 * 1536 / width + number * 23) }
        let down = (0..<height).map { wave($0 * 1100 / height - number * 17) }
        let slanted = (0..<width + height).map { wave($0 * 900 / width + number * 31) }
        let column = (0..<width).map { $0 * columns / width }
        var bytes = [UInt8](repeating: 0, count: width * height * 3)
        bytes.withUnsafeMutableBufferPointer { bytes in
            var offset = 0
            for y in 0..<height {
                let row = y * rows / height * columns
                for x in 0..<width {
                    let level = blocks[row + column[x]] ? 208 : 48
                    let (a, b) = (across[x] + down[y], slanted[x + y])
                    bytes[offset] = UInt8(level + a / 2 + b / 2)
                    bytes[offset + 1] = UInt8(level + a / 2)
                    bytes[offset + 2] = UInt8(level + a / 2 - b)
                    offset += 3
                }
            }
        }
        return RGBPicture(width: width, height: height, bytes: bytes)
    }

    /// A triangle wave with a period of 256 and values of -16…16.
    private static func wave(_ phase: Int) -> Int {
        let place = phase & 255
        return (place < 128 ? place : 255 - place) / 4 - 16
    }
}
