import Snap

/// What is to be done: pictures of videos, and where they go.
struct PictureOrder: Sendable {
    /// Which pictures of each video.
    enum Wanted: Sendable, Hashable {
        case positions([Position])
        case series(Series)
    }

    enum Destination: Sendable, Hashable {
        case standardOutput
        case files(NameTemplate)
    }

    var sources: [Source]
    var wanted: Wanted
    /// Whether pictures every so often are of what is to come, where a stream is live: no range was typed.
    var followsLive: Bool
    var snapshot: SnapshotOptions
    var video: VideoOptions
    var format: ImageFormat
    var destination: Destination
    /// Pictures whose files are there are not taken.
    var skipsExisting: Bool
    /// Receipts go to standard output instead of paths.
    var printsReceipts: Bool
    /// Notes go to standard error.
    var printsNotes: Bool
}
