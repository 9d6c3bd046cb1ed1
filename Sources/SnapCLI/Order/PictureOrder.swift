import Snap

/// What is to be done: pictures of videos, and where they go.
struct PictureOrder: Sendable {
    var sources: [Source]
    /// What is made of each video.
    var products: [Product]
    /// Whether pictures every so often are of what is to come, where a stream is live: no range was typed.
    var followsLive = false
    var video: VideoOptions
    /// Pictures whose files are there are not taken.
    var skipsExisting: Bool
    /// Receipts go to standard output instead of paths.
    var printsReceipts: Bool
    /// Notes go to standard error.
    var printsNotes: Bool
}

/// Pictures of one kind: which frames, how they look, and where they go.
struct Product: Sendable {
    /// Which frames of the video.
    enum Wanted: Sendable, Hashable {
        case positions([Position])
        case series(Series)
    }

    enum Destination: Sendable, Hashable {
        /// To whoever asked: standard output, or a reply.
        case asker
        case files(NameTemplate)
    }

    var wanted: Wanted
    var snapshot: SnapshotOptions
    var format: ImageFormat
    var destination: Destination
}
