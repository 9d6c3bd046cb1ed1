package import SnapBase

/// What a container says of how its video came about.
package struct RecordingFacts: Sendable, Hashable {
    /// When the first frame was taken.
    package var start: WallClock?
    package var location: GeographicLocation?
}
