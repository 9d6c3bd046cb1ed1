import Synchronization

/// Requests between the thread that reads them and the tasks that work on them.
final class WorkQueue: Sendable {
    /// As many wait in memory; the reader waits then.
    static let limit = 1024

    private struct State {
        var waiting: [WorkRequest] = []
        /// Where ``waiting`` begins; what lies before is done with.
        var first = 0
        var takers: [CheckedContinuation<WorkRequest?, Never>] = []
        /// Those that are waiting or in work; `nil` while there is no task yet.
        var tasks: [RequestID: Task<Void, Never>?] = [:]
        var cancelled: Set<RequestID> = []
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let space = Places(limit)

    /// Puts a request behind the others. Blocks while there are too many.
    ///
    /// - Returns: False when another one of the same id is not done yet.
    func add(_ request: WorkRequest) -> Bool {
        space.take()
        let isNew = state.withLock { state -> Bool in
            if state.tasks[request.id] != nil { return false }
            state.tasks[request.id] = .some(nil)
            if let taker = state.takers.popLast() {
                taker.resume(returning: request)
            } else {
                state.waiting.append(request)
            }
            return true
        }
        if !isNew { space.giveBack() }
        return isNew
    }

    /// No request will come any more.
    func end() {
        state.withLock { state in
            state.hasEnded = true
            for taker in state.takers { taker.resume(returning: nil) }
            state.takers = []
        }
    }

    /// The next request; `nil` when there will be none.
    func next() async -> WorkRequest? {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                if state.first < state.waiting.count {
                    continuation.resume(returning: state.waiting[state.first])
                    state.first += 1
                    if state.first == Self.limit {
                        state.waiting.removeFirst(state.first)
                        state.first = 0
                    }
                } else if state.hasEnded {
                    continuation.resume(returning: nil)
                } else {
                    state.takers.append(continuation)
                }
            }
        }
    }

    /// Says what works on a request, so that it can be cancelled.
    func started(_ id: RequestID, _ task: Task<Void, Never>) {
        let isCancelled = state.withLock { state -> Bool in
            // It may be done already.
            guard case .some(.none) = state.tasks[id] else { return false }
            state.tasks[id] = task
            return state.cancelled.remove(id) != nil
        }
        if isCancelled { task.cancel() }
    }

    /// To be called once for each request, before its last reply.
    func done(_ id: RequestID) {
        state.withLock { state in
            state.tasks[id] = nil
            state.cancelled.remove(id)
        }
        space.giveBack()
    }

    /// Gives a request up: that it was is told in its last reply. Does nothing when it is done, or was never made.
    func cancel(_ id: RequestID) {
        let task = state.withLock { state -> Task<Void, Never>? in
            switch state.tasks[id] {
            case .some(.some(let task)): return task
            case .some(.none):
                state.cancelled.insert(id)
                return nil
            case .none: return nil
            }
        }
        task?.cancel()
    }
}
