public import SnapBase

extension VariantSelection {
    /// Reads what is typed: `auto`, `min`, `max`, a place (`2`), a size (`1280x720`) or bits a second (`1500000`, from
    /// 1000 on).
    ///
    /// - Throws: ``SnapError`` with code `usage`.
    public init(_ text: String) throws(SnapError) {
        switch text.lowercased() {
        case "auto": self = .automatic
        case "min": self = .smallest
        case "max": self = .largest
        default:
            let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
            if sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0 {
                self = .size(width: width, height: height)
            } else if let number = Int64(text), number >= 0 {
                self = number < 1000 ? .index(Int(number)) : .bandwidth(number)
            } else {
                throw SnapError(
                    .usage,
                    "'\(text)' is not a variant: write auto, min, max, a place in the playlist (0), a size (1280x720) or bits a second"
                )
            }
        }
    }
}
