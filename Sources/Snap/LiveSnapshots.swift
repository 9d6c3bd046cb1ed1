/// The newest picture of a live stream, again and again: one result at each look, a failure not ending the rest.
///
/// The playlist and the connection are kept, and what left the stream's window is forgotten, so that it may go on for
/// days. Looks that would be late, because a picture took longer than the distance between two, are left out.
///
/// The sequence ends after the last frame of a stream that ends, after as many results as were asked for, and when its
/// task is cancelled.
public struct LiveSnapshots: AsyncSequence, Sendable {
    public typealias Failure = Never

    /// What a look at the stream gave.
    public struct Element: Sendable {
        /// Its place in the sequence, counted from 0.
        public let index: Int
        public let outcome: Outcome
    }

    public enum Outcome: Sendable {
        case snapshot(Snapshot)
        /// No newer frame than that of the last picture; the receipt has status `skipped` and code `unchanged`, or
        /// `stale` where the stream stands still.
        case unchanged(Receipt)
        case failure(SnapError)
    }

    let video: Video
    let distance: Duration
    let count: Int?
    let options: SnapshotOptions

    public func makeAsyncIterator() -> Iterator { Iterator(request: self) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let request: LiveSnapshots
        private var index = 0
        private var due: ContinuousClock.Instant?
        private var last: VideoReader.FrameIdentity?
        private var isOver = false

        fileprivate init(request: LiveSnapshots) { self.request = request }

        public mutating func next() async -> Element? { await next(isolation: nil) }

        public mutating func next(isolation: isolated (any Actor)?) async -> Element? {
            guard !isOver, index < request.count ?? .max else { return nil }
            let due = nextDue()
            guard (try? await Task.sleep(until: due, clock: .continuous)) != nil else { return nil }
            let (last, options) = (last, request.options)
            let look = try? await request.video.run { $0.look(after: last, options: options) }
            guard let look, !Task.isCancelled else { return nil }
            self.last = look.identity
            isOver = !look.isLive
            // A stream that ended without a newer frame than the last picture's has nothing more to tell.
            if isOver, case .unchanged = look.outcome { return nil }
            defer { index += 1 }
            return Element(index: index, outcome: look.outcome)
        }

        /// The next multiple of the distance since the first look that is still to come, so that delays don't add up.
        private mutating func nextDue() -> ContinuousClock.Instant {
            let now = ContinuousClock.now
            var next = due.map { $0 + request.distance } ?? now
            if next < now { next += request.distance * Int((now - next) / request.distance + 1) }
            due = next
            return next
        }
    }
}
