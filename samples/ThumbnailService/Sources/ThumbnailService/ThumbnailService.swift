import Snap

/// What a web service does with snap: it answers with a thumbnail, in time, or with a status that says why not.
///
/// All that blocks happens on threads of the library's own, so that these functions may be called from an event loop.
struct ThumbnailService: Sendable {
    private let reading: VideoOptions
    private let look: SnapshotOptions

    /// - Parameter deadline: For each picture; opening the video counts with the first.
    init(deadline: Duration) {
        var reading = VideoOptions()
        reading.timeout = deadline
        reading.byteLimit = 64 << 20  // a thumbnail is not worth more of somebody else's network
        self.reading = reading
        var look = SnapshotOptions()
        look.size = .width(320)
        look.isStrict = true  // a time past the end is the client's mistake
        self.look = look
    }

    /// One thumbnail.
    func thumbnail(of source: Source, at position: Position) async -> Answer {
        do throws(SnapError) {
            let video = try await Video(source, options: reading)
            return Answer(.success(try await video.snapshot(at: position, options: look)))
        } catch {
            return Answer(.failure(error))
        }
    }

    /// Thumbnails of many positions, in the order asked for. A position without one says so; the others come all the same.
    ///
    /// The video is opened once and each group of pictures decoded once. Each thumbnail is taken when it is asked for.
    ///
    /// - Throws: ``SnapError`` when the video as a whole can't be opened.
    func thumbnails(
        of source: Source, at positions: [Position]
    ) async throws(SnapError) -> some AsyncSequence<(Position, Answer), Never> & Sendable {
        let video = try await Video(source, options: reading)
        return video.snapshots(at: positions, options: look).map { ($0.position, Answer($0.result)) }
    }
}
