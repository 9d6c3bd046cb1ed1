import Snap
import Synchronization

/// Videos that were just used, kept open for the next request.
final class VideoShelf: Sendable {
    private struct Entry {
        let key: Key
        let video: Video
        let since: ContinuousClock.Instant
    }

    /// What must be the same for a video to serve again.
    private struct Key: Hashable {
        /// As it was named: with user and password, which another one may not have.
        let source: String
        let options: VideoOptions
        /// `nil` for what is no file.
        let file: FileIdentity?

        /// - Returns: `nil` for what can't be opened twice.
        init?(_ source: Source, _ options: VideoOptions) {
            switch source {
            case .file(let path):
                guard let identity = FileIdentity(ofRegularFile: path) else { return nil }
                (self.source, file) = (path, identity)
            case .url(let url): (self.source, file) = (url, nil)
            case .standardInput, .bytes, .custom: return nil
            }
            self.options = options
        }
    }

    /// How long a video of a server serves again without being asked for.
    private static let patience = Duration.seconds(10)

    private let limit: Int
    private let turn: (any CoreTurn)?
    /// The least recently used first.
    private let entries = Mutex<[Entry]>([])

    /// - Parameter turn: What videos give back while they wait for bytes.
    init(limit: Int, turn: (any CoreTurn)?) {
        self.limit = limit
        self.turn = turn
    }

    /// Lends a video to somebody, who has it alone.
    func video(_ source: Source, options: VideoOptions) async throws(SnapError) -> Loan {
        guard let key = Key(source, options), limit > 0 else {
            return Loan(video: try await Video(source, options: options, turn: turn)) { _ in }
        }
        let kept = entries.withLock { entries -> Video? in
            entries.removeAll { $0.key.file == nil && $0.since < .now - Self.patience }
            guard let place = entries.lastIndex(where: { $0.key == key }) else { return nil }
            return entries.remove(at: place).video
        }
        let video: Video
        if let kept { video = kept } else { video = try await Video(source, options: options, turn: turn) }
        return Loan(video: video) { [self] video in
            entries.withLock { entries in
                entries.append(Entry(key: key, video: video, since: .now))
                if entries.count > limit { entries.removeFirst() }
            }
        }
    }

    /// A video that somebody may use.
    struct Loan: Sendable {
        let video: Video
        let keep: @Sendable (Video) -> Void
        /// To be called when all went well; a video that failed is not kept.
        func giveBack() { keep(video) }
    }
}
