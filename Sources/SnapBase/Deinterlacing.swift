/// Whether a frame is deinterlaced.
public enum Deinterlacing: String, Sendable, Hashable, CaseIterable {
    /// Where the frame is flagged as interlaced. The default.
    case automatic = "auto"
    /// Frames without the flag too.
    case always = "on"
    case never = "off"
    /// The instant of the rows 0, 2, 4 … is shown, of every frame; the other rows are interpolated.
    case top
    /// The instant of the rows 1, 3, 5 … is shown, of every frame; the other rows are interpolated.
    case bottom
}
