import SnapBase
import SnapPlaylist

/// Which variant of an HLS stream is taken.
public enum VariantSelection: Sendable, Hashable {
    /// The smallest that fills the picture, or the largest where no size is asked for.
    case automatic
    case smallest
    case largest
    /// By its place in the playlist, counted from 0.
    case index(Int)
    case size(width: Int, height: Int)
    /// By its BANDWIDTH or AVERAGE-BANDWIDTH, in bits a second.
    case bandwidth(Int64)

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

extension VariantWish {
    init(_ size: PictureSize, _ selection: VariantSelection) {
        let rule: Rule =
            switch selection {
            case .automatic: .bySize
            case .smallest: .smallest
            case .largest: .largest
            case .index(let index): .index(index)
            case .size(let width, let height): .size(width: width, height: height)
            case .bandwidth(let bits): .bandwidth(bits)
            }
        self.init(rule)
        switch size {
        case .original: break
        case .width(let width): self.width = width
        case .height(let height): self.height = height
        case .box(let width, let height): (self.width, self.height) = (width, height)
        }
    }
}
