import Snap

extension RGBColour {
    /// Reads `#rrggbb`, with or without the `#`, which shells take for a comment.
    ///
    /// - Throws: ``SnapError`` with code `usage`.
    init(_ text: String) throws(SnapError) {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16) else {
            throw SnapError(.usage, "--background \(text): write six hexadecimal digits, as in '#ffffff'")
        }
        self.init(red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xff), blue: UInt8(value & 0xff))
    }
}
