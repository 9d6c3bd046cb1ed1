public import SnapBase

/// How far from the time asked for a frame may be. Room makes it cheap: a key frame costs one decoded picture.
public struct Tolerance: Sendable, Hashable {
    /// How much earlier; `nil` for any.
    public var before: MediaTime?
    /// How much later.
    public var after: MediaTime

    public init(before: MediaTime?, after: MediaTime) {
        self.before = before
        self.after = after
    }

    /// The frame on screen, and no other.
    public static let exact = Tolerance(before: .zero, after: .zero)
    /// The key frame before the time, however far away.
    public static let any = Tolerance(before: nil, after: .zero)

    public var isExact: Bool { before == .zero && after == .zero }

    /// Reads what is typed after `--tolerance`: `0`, `0.5s` (both ways), `-0.2s,+1s`, `any`.
    ///
    /// - Throws: ``SnapError`` with code `usage`.
    public init(_ text: String) throws(SnapError) {
        if text == "any" {
            self = .any
            return
        }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingSpaces() }
        if parts.count == 1, !parts[0].hasPrefix("-"), !parts[0].hasPrefix("+") {
            let time = try MediaTime(parsing: parts[0])
            self.init(before: time, after: time)
            return
        }
        var result = Tolerance.exact
        for part in parts {
            if part.hasPrefix("-") {
                result.before = try MediaTime(parsing: part.dropFirst())
            } else if part.hasPrefix("+") {
                result.after = try MediaTime(parsing: part.dropFirst())
            } else {
                throw SnapError(.usage, "'\(text)' is not a tolerance: write 0.5s, -0.2s,+1s or any")
            }
        }
        self = result
    }
}
