/// One of the pictures that are asked for together.
public struct SnapshotRequest: Sendable, Hashable {
    public var position: Position
    /// Which frame is taken for the position, and how it becomes a picture.
    public var options: SnapshotOptions

    public init(at position: Position, options: SnapshotOptions = SnapshotOptions()) {
        self.position = position
        self.options = options
    }
}

/// Pictures of many positions, taken as they are asked for: one result an item, a failure not ending the rest.
public struct Snapshots: AsyncSequence, Sendable {
    public typealias Failure = Never

    /// One of many pictures.
    public struct Element: Sendable {
        /// Its place in the list of positions, counted from 0.
        public let index: Int
        public let position: Position
        public let result: Result<Snapshot, SnapError>
    }

    let video: Video
    let requests: [SnapshotRequest]
    let order: SnapshotOrder

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    public struct Iterator: AsyncIteratorProtocol {
        private let request: Snapshots
        /// What is to be done, the next last; `nil` before the positions were resolved.
        private var plan: [Planned]?
        /// Found, and waiting for their turn, by index.
        private var waiting: [Int: Element] = [:]
        private var delivered = 0

        fileprivate struct Planned: Sendable {
            let index: Int
            let request: SnapshotRequest
            let moment: Result<Moment, SnapError>

            /// Errors are delivered first: they cost nothing.
            static func isBefore(_ left: Planned, _ right: Planned) -> Bool {
                switch (left.moment, right.moment) {
                case (.failure, .success): true
                case (_, .failure): false
                case (.success(let left), .success(let right)): Moment.isInDecodingOrder(left, right)
                }
            }
        }

        init(_ request: Snapshots) { self.request = request }

        public mutating func next() async -> Element? { await next(isolation: nil) }

        public mutating func next(isolation: isolated (any Actor)?) async -> Element? {
            if plan == nil { plan = await Self.planned(request) }
            while true {
                if request.order == .asAsked, let element = waiting.removeValue(forKey: delivered) {
                    delivered += 1
                    return element
                }
                guard let step = plan?.popLast() else { return nil }
                let element = await request.take(step, next: plan?.last)
                if request.order == .byTime { return element }
                waiting[step.index] = element
            }
        }

        /// Resolves the positions and sorts them by the order of decoding, the first one last.
        private static func planned(_ request: Snapshots) async -> [Planned] {
            let requests = request.requests
            let moments = try? await request.video.run { reader throws(SnapError) in
                requests.map { request in
                    Result { () throws(SnapError) in try reader.moment(request.position, for: request.options) }
                }
            }
            let cancelled = SnapError(.cancelled, source: request.video.name, "cancelled")
            return requests.enumerated()
                .map { index, request in
                    Planned(index: index, request: request, moment: moments?[index] ?? .failure(cancelled))
                }
                .sorted { Planned.isBefore($0, $1) || !Planned.isBefore($1, $0) && $0.index < $1.index }
                .reversed()
        }
    }
}

extension Snapshots {
    fileprivate func take(_ step: Iterator.Planned, next: Iterator.Planned?) async -> Element {
        let (position, options) = (step.request.position, step.request.options)
        do throws(SnapError) {
            let moment = try step.moment.get()
            let following = try? next?.moment.get()
            let snapshot = try await video.run { reader throws(SnapError) in
                try reader.snapshot(at: moment, next: following, options: options)
            }
            return Element(index: step.index, position: position, result: .success(snapshot))
        } catch {
            return Element(index: step.index, position: position, result: .failure(error))
        }
    }
}
