/// Why a picture could not become a JPEG.
package enum JPEGError: Error, Sendable, Hashable {
    /// A side is longer than JPEG allows (``JPEGEncoder/longestSide``).
    case tooLarge(width: Int, height: Int)
    /// libjpeg failed; in its words.
    case libjpeg(String)
}

extension JPEGError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLarge(let width, let height):
            "\(width)x\(height) is too large for a JPEG (\(JPEGEncoder.longestSide) pixels a side at most)"
        case .libjpeg(let message): "libjpeg: \(message)"
        }
    }
}
