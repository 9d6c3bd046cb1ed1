/// What a time index did for a picture.
public enum TimeIndexUse: String, Sendable, Hashable {
    /// There was none that could help, and nothing was learned that is worth keeping.
    case none
    /// One was read and used.
    case read
    /// What was learned on the way was written; a later visit will find it.
    case written
    /// One was used, and what was learned besides was added to it.
    case extended
}
