/// What to do when the frame asked for lost data.
public enum DamagePolicy: String, Sendable, Hashable, CaseIterable {
    /// Give the nearest frame without damage, before or after. The default.
    case nearest
    /// Give the next frame without damage.
    case next
    /// Give the frame without damage before it.
    case previous
    /// Give the damaged frame.
    case keep
    /// Give no frame.
    case fail
}
