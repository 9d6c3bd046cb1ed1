/// An opaque sRGB colour, 8 bits a channel.
public struct RGBColour: Sendable, Hashable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8

    public static let black = RGBColour(red: 0, green: 0, blue: 0)
    public static let white = RGBColour(red: 255, green: 255, blue: 255)

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }
}
