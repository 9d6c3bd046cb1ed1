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
    let positions: [Position]
    let options: SnapshotOptions
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
            let position: Position
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
            let positions = request.positions
            let moments = try? await request.video.run { reader throws(SnapError) in
                positions.map { position in
                    Result { () throws(SnapError) in try reader.moment(position, for: request.options) }
                }
            }
            let cancelled = SnapError(.cancelled, source: request.video.name, "cancelled")
            return positions.enumerated()
                .map { index, position in
                    Planned(index: index, position: position, moment: moments?[index] ?? .failure(cancelled))
                }
                .sorted { Planned.isBefore($0, $1) || !Planned.isBefore($1, $0) && $0.index < $1.index }
                .reversed()
        }
    }
}

extension Snapshots {
    fileprivate func take(_ step: Iterator.Planned, next: Iterator.Planned?) async -> Element {
        let options = options
        do throws(SnapError) {
            let moment = try step.moment.get()
            let following = try? next?.moment.get()
            let snapshot = try await video.run { reader throws(SnapError) in
                try reader.snapshot(at: moment, next: following, options: options)
            }
            return Element(index: step.index, position: step.position, result: .success(snapshot))
        } catch {
            return Element(index: step.index, position: step.position, result: .failure(error))
        }
    }
}
