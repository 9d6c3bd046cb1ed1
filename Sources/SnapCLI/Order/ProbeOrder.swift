import Snap

/// What is to be done: telling what is in videos.
struct ProbeOrder: Sendable {
    var sources: [Source]
    var video: VideoOptions
    /// JSON instead of lines for people.
    var printsJSON: Bool

    /// - Throws: ``SnapError`` with code `usage`.
    init(_ typed: ProbeCommand) throws(SnapError) {
        sources = try Source.list(typed.input)
        video = try VideoOptions(typed.reading, typed.stream)
        printsJSON = typed.json
    }
}
