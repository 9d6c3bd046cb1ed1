/// What a picture shows of the two fields of an interlaced frame.
public enum ShownFields: String, Sendable, Hashable, CaseIterable {
    /// Both, as they were coded: nothing was to be done about them.
    case coded
    /// Both: they are of one instant, though the frame is flagged as interlaced.
    case whole
    /// The field that was taken first, made whole with the other field of the same instant from the frame before or
    /// after: film that was spread over fields (telecine).
    case matched
    /// The instant of the rows 0, 2, 4 …; the rows between them were interpolated where something moved.
    case top
    /// The instant of the rows 1, 3, 5 …; the rows between them were interpolated where something moved.
    case bottom
}
