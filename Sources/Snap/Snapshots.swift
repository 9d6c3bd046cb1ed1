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
        private var lanes: SnapshotLanes?
        /// Found, and waiting for their turn, by index.
        private var waiting: [Int: Element] = [:]
        private var delivered = 0

        struct Planned: Sendable {
            let index: Int
            let request: SnapshotRequest
            let moment: Result<Moment, SnapError>
            /// See ``Footage/group(of:)``.
            let group: Int?

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
            if plan == nil {
                let plan = await Self.planned(request)
                lanes = await SnapshotLanes(for: plan, of: request.video)
                self.plan = plan
            }
            while true {
                if request.order == .asAsked, let element = waiting.removeValue(forKey: delivered) {
                    delivered += 1
                    return element
                }
                guard let element = await found(isolation: isolation) else { return nil }
                if request.order == .byTime { return element }
                waiting[element.index] = element
            }
        }

        /// The next one in the order of decoding.
        private mutating func found(isolation: isolated (any Actor)?) async -> Element? {
            if let lanes, var plan = plan.take() {
                let element = await lanes.next(of: &plan, isolation: isolation)
                self.plan = plan
                if let element { return element }
            }
            guard let step = plan?.popLast() else { return nil }
            return await step.taken(from: request.video, next: plan?.last)
        }

        /// Resolves the positions and sorts them by the order of decoding, the first one last.
        private static func planned(_ request: Snapshots) async -> [Planned] {
            let requests = request.requests
            let found: (moments: [Result<Moment, SnapError>], groups: [Int?])? = try? await request.video.run {
                reader throws(SnapError) in
                let moments = requests.map { request in
                    Result { () throws(SnapError) in try reader.moment(request.position, for: request.options) }
                }
                return (moments: moments, groups: reader.groups(of: moments.map { try? $0.get() }))
            }
            let cancelled = SnapError(.cancelled, source: request.video.name, "cancelled")
            return requests.enumerated()
                .map { index, request in
                    Planned(
                        index: index, request: request, moment: found?.moments[index] ?? .failure(cancelled),
                        group: found?.groups[index])
                }
                .sorted { Planned.isBefore($0, $1) || !Planned.isBefore($1, $0) && $0.index < $1.index }
                .reversed()
        }
    }
}

extension Snapshots.Iterator.Planned {
    /// Takes the picture.
    ///
    /// - Parameter next: What the same video will be asked for afterwards.
    func taken(from video: Video, next: Self?) async -> Snapshots.Element {
        let options = request.options
        let result: Result<Snapshot, SnapError>
        do throws(SnapError) {
            let moment = try moment.get()
            let following = try? next?.moment.get()
            result = .success(
                try await video.run { reader throws(SnapError) in
                    try reader.snapshot(at: moment, next: following, options: options)
                })
        } catch {
            result = .failure(error)
        }
        return Snapshots.Element(index: index, position: request.position, result: result)
    }
}
