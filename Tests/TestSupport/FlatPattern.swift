/// A frame number as a grey level, for pictures too small for ``FrameNumberPattern``.
public enum FlatPattern {
    /// The numbers that levels can tell apart after lossy coding.
    public static let numbers = 0..<10

    public static func level(of number: Int) -> UInt8 { UInt8(24 + number % numbers.count * 23) }

    public static func picture(of number: Int, width: Int, height: Int) -> RGBPicture {
        let bytes = [UInt8](repeating: level(of: number), count: width * height * 3)
        return RGBPicture(width: width, height: height, bytes: bytes)
    }

    /// - Returns: `nil` when the picture is none of the levels.
    public static func number(in picture: RGBPicture) -> Int? {
        let level = picture.brightness(columns: 0..<picture.width, rows: 0..<picture.height)
        return numbers.first { abs(Double(Self.level(of: $0)) - level) < 9 }
    }
}
