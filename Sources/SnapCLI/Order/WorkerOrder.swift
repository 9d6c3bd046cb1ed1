import Snap

/// How requests are to be answered.
struct WorkerOrder: Sendable {
    /// Requests worked on at a time.
    let jobs: Int
    /// Videos that stay open after use.
    let keptVideos: Int
    /// The options of requests that name none.
    let defaults: TypedOptions
    /// Where time indexes are kept, but for requests that say otherwise.
    let timeIndex: TimeIndexPlace?
    /// Whether pictures go to the supervisor, which writes them, and all ends when it does.
    let isSupervised: Bool

    /// - Throws: ``SnapError`` with code `usage`.
    init(_ typed: WorkerCommand) throws(SnapError) {
        jobs = typed.jobs ?? coreCount
        guard 1...256 ~= jobs else { throw SnapError(.usage, "--jobs is \(jobs); it goes from 1 to 256") }
        keptVideos = typed.keepOpen
        guard 0...256 ~= keptVideos else {
            throw SnapError(.usage, "--keep-open is \(keptVideos); it goes from 0 to 256")
        }
        var defaults = typed.options
        if let text = typed.defaults { try defaults.set(try JSONInput.object(text.utf8)) }
        self.defaults = defaults
        isSupervised = typed.supervised
        // What is wrong with them is said at once, not with each request.
        _ = try Product(defaults, implied: .asker)
        timeIndex = try VideoOptions(defaults.reading, defaults.stream).timeIndex
    }
}
