/// What a picture's numbers mean, by the code points of ITU-T H.273.
public struct PictureColour: Sendable, Hashable {
    /// `ColourPrimaries`: 1 for sRGB's, 9 for BT.2020's.
    public var primaries: UInt8
    /// `TransferCharacteristics`: 13 for sRGB's, 16 for PQ, 18 for HLG.
    public var transfer: UInt8

    public static let sRGB = PictureColour(primaries: 1, transfer: 13)

    public init(primaries: UInt8, transfer: UInt8) {
        self.primaries = primaries
        self.transfer = transfer
    }
}
