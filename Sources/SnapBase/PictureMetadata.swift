/// When and where a frame was taken, as far as the video says so.
public struct PictureMetadata: Sendable, Hashable {
    public var date: WallClock?
    public var location: GeographicLocation?

    public init(date: WallClock? = nil, location: GeographicLocation? = nil) {
        (self.date, self.location) = (date, location)
    }
}
