/// A frame number drawn into a picture so that a program can read it back.
///
/// The picture is a grid of 8 × 5 blocks, black or white. The first and the last row are fixed: they say what black
/// and white look like by now, and which way up the picture lies. The rows between hold 16 bits of number and an
/// 8-bit check. A texture moves over the blocks with the number, so that a coder has to predict from other frames
/// and a wrong reference shows as a smear that no check survives.
///
/// It survives lossy coding, colour conversion, turning, and scaling to 64 pixels in width, in any proportion.
public enum FrameNumberPattern {
    static let columns = 8
    static let rows = 5
    /// Fixed blocks, white where `#`.
    static let top: [Bool] = [true, true, false, true, false, false, true, false]
    static let bottom: [Bool] = [false, true, true, true, true, false, false, false]

    /// What a picture says.
    public struct Reading: Sendable, Equatable {
        public let number: Int
        /// How the picture has been turned from upright.
        public let turn: Turn
    }

    /// The number in an upright picture.
    ///
    /// - Returns: `nil` when there is none, or it is blurred, torn or turned.
    public static func number(in picture: RGBPicture) -> Int? { number(in: picture, turnedBy: .none) }

    /// The number in a picture that may be turned any way.
    public static func read(_ picture: RGBPicture) -> Reading? {
        for turn in Turn.allCases {
            if let number = number(in: picture, turnedBy: turn) { return Reading(number: number, turn: turn) }
        }
        return nil
    }

    /// The blocks of a number, row by row, white where true.
    static func blocks(of number: UInt16) -> [Bool] {
        let value = UInt32(number) << 8 | UInt32(check(of: number))
        return top + (0..<24).map { value >> UInt32(23 - $0) & 1 == 1 } + bottom
    }

    private static func number(in picture: RGBPicture, turnedBy turn: Turn) -> Int? {
        let values = brightness(of: picture, turnedBy: turn)
        let fixed = Array(zip(values.prefix(columns) + values.suffix(columns), top + bottom))
        let white = fixed.filter(\.1).map(\.0)
        let black = fixed.filter { !$0.1 }.map(\.0)
        let (whiteMean, blackMean) = (mean(white), mean(black))
        let contrast = whiteMean - blackMean
        guard contrast > 48 else { return nil }
        let middle = (whiteMean + blackMean) / 2
        // A block between black and white comes from two pictures mixed.
        guard values.allSatisfy({ abs($0 - middle) > contrast * 0.2 }) else { return nil }
        let bits = values.map { $0 > middle }
        guard Array(bits.prefix(columns)) == top, Array(bits.suffix(columns)) == bottom else { return nil }
        let value = bits[columns..<columns * (rows - 1)].reduce(UInt32(0)) { $0 << 1 | ($1 ? 1 : 0) }
        let number = UInt16(value >> 8)
        return check(of: number) == UInt8(value & 0xFF) ? Int(number) : nil
    }

    /// The mean brightness of the middle of each block.
    private static func brightness(of picture: RGBPicture, turnedBy turn: Turn) -> [Double] {
        // Where the blocks of the upright picture lie in this one.
        let upright = turn.size(width: picture.width, height: picture.height)
        let scale = 8
        var values: [Double] = []
        for row in 0..<rows {
            for column in 0..<columns {
                let left = middle(of: column, of: columns, length: upright.width * scale)
                let down = middle(of: row, of: rows, length: upright.height * scale)
                let corners = [(left.lowerBound, down.lowerBound), (left.upperBound - 1, down.upperBound - 1)].map {
                    turn.position(ofX: $0.0, y: $0.1, width: upright.width * scale, height: upright.height * scale)
                }
                let (x0, x1) = (min(corners[0].x, corners[1].x) / scale, max(corners[0].x, corners[1].x) / scale)
                let (y0, y1) = (min(corners[0].y, corners[1].y) / scale, max(corners[0].y, corners[1].y) / scale)
                values.append(picture.brightness(columns: x0..<x1 + 1, rows: y0..<y1 + 1))
            }
        }
        return values
    }

    /// The middle half of a block.
    private static func middle(of index: Int, of count: Int, length: Int) -> Range<Int> {
        let start = (4 * index + 1) * length / (4 * count)
        return start..<max(start + 1, (4 * index + 3) * length / (4 * count))
    }

    private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

    /// CRC-8 with the polynomial x⁸ + x² + x + 1, started so that number 0 is not all black.
    private static func check(of number: UInt16) -> UInt8 {
        var crc: UInt8 = 0xA5
        for byte in [UInt8(number >> 8), UInt8(number & 0xFF)] {
            crc ^= byte
            for _ in 0..<8 { crc = crc & 0x80 != 0 ? crc << 1 ^ 0x07 : crc << 1 }
        }
        return crc
    }
}
