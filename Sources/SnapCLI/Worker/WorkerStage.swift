import Snap

/// How far a worker is, as its supervisor is told between replies.
enum WorkerStage: String, Sendable, CaseIterable {
    /// The video is open.
    case open
    /// There are bytes to work on, and it waits for a core.
    case ready
    /// It waits for bytes, or is done with the video: somebody else may have the core.
    case waiting

    var line: JSONValue { .object([("stage", .string(rawValue))]) }
}
