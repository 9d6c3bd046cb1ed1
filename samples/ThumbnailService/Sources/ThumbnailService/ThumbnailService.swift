import Snap

/// What a web service does with snap: it answers with a thumbnail, in time, or with a status that says why not.
///
/// All that blocks happens on threads of the library's own, so that these functions may be called from an event loop.
struct ThumbnailService: Sendable {
    /// What goes back to the client.
    struct Answer: Sendable {
        var status: Int
        var body: [UInt8] = []
        /// For the log.
        var note: String
    }

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
            return try answer(try await video.snapshot(at: position, options: look))
        } catch {
            return Answer(status: Self.status(of: error), note: error.description)
        }
    }

    /// Thumbnails of many positions: the video is opened once, and each group of pictures decoded once.
    ///
    /// - Parameter send: Called with each answer in the order asked for, as soon as it is there.
    /// - Throws: ``SnapError`` when the video as a whole can't be opened.
    func thumbnails(
        of source: Source, at positions: [Position], send: (Position, Answer) async -> Void
    ) async throws(SnapError) {
        let video = try await Video(source, options: reading)
        for await element in video.snapshots(at: positions, options: look) {
            // A position without a picture says so; the others come all the same.
            let result = element.result.flatMap { snapshot in
                Result { () throws(SnapError) in try answer(snapshot) }
            }
            switch result {
            case .success(let answer): await send(element.position, answer)
            // The client is gone, and its task cancelled: decode no further.
            case .failure(let error) where error.code == .cancelled: throw error
            case .failure(let error):
                await send(element.position, Answer(status: Self.status(of: error), note: error.description))
            }
        }
    }

    private func answer(_ snapshot: Snapshot) throws(SnapError) -> Answer {
        let body = try snapshot.encoded(as: .jpeg)
        let picture = "\(snapshot.picture.width) x \(snapshot.picture.height)"
        // The receipt tells what was got for what was asked; `json` has all of it.
        let shown = snapshot.receipt.actual.map { "the frame at \($0.time)" } ?? "a frame"
        return Answer(status: 200, body: body, note: "\(shown), \(picture)")
    }

    /// The codes of errors are stable; the sentences are for people.
    private static func status(of error: SnapError) -> Int {
        switch error.code {
        case .usage, .pastTheEnd, .refusedAddress: 400
        case .notFound, .isDirectory, .notReadable: 404
        case .tooLarge, .tooManyBytes: 413
        case .network: 502
        case .timedOut: 504
        case .internal, .cannotWrite: 500
        case .cancelled: 499
        // What was sent is no video, or none that can be shown.
        default: 422
        }
    }
}
