import Snap

extension PictureSize {
    /// The longest side: what JPEG can hold.
    static let longestSide = 65_500

    /// Reads `320x180`, `320` or `x180`.
    ///
    /// - Throws: ``SnapError`` with code `usage`.
    init(_ text: String) throws(SnapError) {
        let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        let numbers = sides.map { side -> Int? in
            guard side.allSatisfy({ "0"..."9" ~= $0 }), let number = Int(side), 1...Self.longestSide ~= number else {
                return nil
            }
            return number
        }
        switch (numbers.count, numbers.first ?? nil, numbers.last ?? nil) {
        case (1, let width?, _): self = .width(width)
        case (2, nil, let height?) where sides[0].isEmpty: self = .height(height)
        case (2, let width?, let height?): self = .box(width: width, height: height)
        default:
            throw SnapError(
                .usage,
                "--size \(text): write 320x180, 320 (wide) or x180 (high), in pixels from 1 to \(Self.longestSide)")
        }
    }
}
