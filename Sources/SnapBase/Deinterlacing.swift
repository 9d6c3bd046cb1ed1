/// Whether a frame is deinterlaced.
public enum Deinterlacing: String, Sendable, Hashable, CaseIterable {
    /// Where the frame is flagged as interlaced. The default.
    case automatic = "auto"
    case always = "on"
    case never = "off"
}
