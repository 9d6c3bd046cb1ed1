import Snap

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Keeps workers busy: gives them inputs, takes what they deliver, ends those that hang or take too much memory, and
/// replaces those that are gone. One thread; all that it shares is the queue of inputs and a flag.
struct Supervisor {
    /// How many inputs are looked through for one that may be begun.
    private static let lookahead = 256
    /// With `--ordered`: how far the work may be ahead of what was printed.
    private static let furthest = 4096
    /// How much longer than its own limit a worker may take.
    private static let grace = Duration.seconds(2)
    /// So many workers in a row may end before they are ready.
    private static let mostBadStarts = 3
    /// How often the workers are looked at.
    private static let pace = Duration.milliseconds(100)

    private let order: BatchOrder
    private let queue: ItemQueue
    private let bell: Bell
    private let isStopped: @Sendable () -> Bool
    private var results: BatchResults

    private var workers: [WorkerProcess] = []
    private var cores: SharedCores
    /// Listed, and not begun.
    private var waiting: [Assignment] = []
    /// To be tried once more, each by a worker of its own.
    private var retries: [Assignment] = []
    private var turns = NameTurns()
    private var sequence = 0
    private var listed = 0
    private var lookedAt = ContinuousClock.now
    /// Workers that ended before they were ready, since one was ready or did something.
    private var badStarts = 0

    /// - Parameters:
    ///   - bell: Rung when there is an input, or when the work is to stop.
    ///   - isStopped: Whether it is.
    init(
        _ order: BatchOrder, _ queue: ItemQueue, _ bell: Bell, results: BatchResults,
        isStopped: @escaping @Sendable () -> Bool
    ) {
        self.order = order
        self.queue = queue
        self.bell = bell
        self.results = results
        self.isStopped = isStopped
        cores = SharedCores(order.jobs)
    }

    /// Works until all inputs have ended, or until it is stopped.
    ///
    /// - Returns: The exit code.
    /// - Throws: ``SnapError``, ``Snap/SystemError`` or ``Console/OutputError`` where it can't go on.
    mutating func run() throws -> Int32 {
        defer { endWorkers() }
        do { try work() } catch Console.OutputError.readerGone {
            // The quiet end.
            throw Console.OutputError.readerGone
        } catch {
            results.close(isUnfinished: true)
            throw error
        }
        if listed > 0 || queue.failure == nil { results.close(isUnfinished: isStopped() || hasFailedTooOften) }
        if let failure = queue.failure { throw failure }
        return results.tally.exitCode
    }

    private mutating func work() throws {
        while !isStopped(), !hasFailedTooOften {
            try list()
            try dispatch()
            if workers.allSatisfy(\.assigned.isEmpty), waiting.isEmpty, retries.isEmpty, queue.isDone { break }
            waitForNews()
            for worker in workers { try listen(to: worker) }
            try lookAfterWorkers()
            results.tick(total: queue.isDone ? listed : nil)
        }
    }

    private var hasFailedTooOften: Bool { order.failureLimit.map { results.tally.failed > $0 } ?? false }

    // MARK: What is to be done

    private mutating func list() throws(Console.OutputError) {
        while waiting.count < Self.lookahead, !isStopped(), !hasFailedTooOften,
            !order.isOrdered || sequence < results.turn + Self.furthest,
            let entry = queue.next()
        {
            defer { sequence += 1 }
            listed += 1
            switch entry {
            case .mistake(let index, let input, let error): try results.fail(index: index, input, error, sequence)
            case .item(let item):
                let fingerprint = results.fingerprint(item)
                if try results.skip(item, fingerprint, sequence) { continue }
                let assignment = Assignment(
                    item: item, sequence: sequence, fingerprint: fingerprint, names: results.expectedNames(of: item),
                    versionBefore: fingerprint.flatMap(results.versionBefore))
                turns.add(assignment)
                waiting.append(assignment)
            }
        }
    }

    private mutating func dispatch() throws {
        lendCores()
        while let assignment = retries.last, let worker = try freeWorker(for: assignment.item, isFresh: true) {
            retries.removeLast()
            begin(assignment, by: worker)
        }
        var place = 0
        while place < waiting.count {
            let item = waiting[place].item
            if isAllowed(item), let worker = try freeWorker(for: item), turns.isTurn(of: waiting[place]) {
                begin(waiting.remove(at: place), by: worker)
            } else {
                place += 1
            }
        }
    }

    /// How many workers of files have something to do.
    private var busyWithFiles: Int { workers.count { !$0.isForNetwork && !$0.assigned.isEmpty } }

    private mutating func lendCores() {
        while let number = cores.lend(besides: busyWithFiles) {
            for worker in workers where worker.number == number {
                worker.lendCore()
                worker.deadline = deadline(of: worker)
            }
        }
    }

    /// Whether the host that an input comes from may be asked for one more.
    private func isAllowed(_ item: BatchItem) -> Bool {
        guard let host = item.host else { return true }
        return workers.count { $0.assigned.contains { $0.item.host == host } } < order.perHost
    }

    /// A worker that can take an input now; `nil` while all have enough to do.
    ///
    /// - Parameter isFresh: Whether it is to be a new one.
    private mutating func freeWorker(for item: BatchItem, isFresh: Bool = false) throws -> WorkerProcess? {
        let isForNetwork = item.host != nil
        let candidates = workers.filter { $0.isForNetwork == isForNetwork }
        let isPossible = isForNetwork || cores.isFree(besides: busyWithFiles)
        if isPossible, !isFresh, let idle = candidates.first(where: \.assigned.isEmpty) { return idle }
        if isPossible, candidates.count < (isForNetwork ? order.networkJobs : order.jobs) {
            do throws(SystemError) {
                let worker = try WorkerProcess(isForNetwork: isForNetwork, defaults: order.defaults)
                workers.append(worker)
                return worker
            } catch {
                // As with too many open files: those that there are go on.
                if candidates.isEmpty { throw error }
            }
        }
        // Of those that have nothing to do, one makes room for the new one.
        if isPossible, isFresh, let idle = candidates.first(where: \.assigned.isEmpty) { remove(idle) }
        if isFresh || isForNetwork || cores.isAskedFor { return nil }
        // The next one lies ready when the one in work is done; but not behind one that has come to grief before.
        return candidates.first { $0.assigned.count == 1 && $0.assigned[0].attempts == 0 }
    }

    private func begin(_ assignment: Assignment, by worker: WorkerProcess) {
        worker.send(assignment)
        if worker.assigned.count == 1 { worker.deadline = deadline(of: worker) }
    }

    /// When a worker has been silent for too long over what it works on.
    private func deadline(of worker: WorkerProcess) -> ContinuousClock.Instant? {
        guard let item = worker.assigned.first?.item else { return nil }
        let patience = item.timeout.map { $0 == .zero ? nil : $0 } ?? order.patience
        return patience.map { .now + $0 + Self.grace }
    }

    // MARK: What is done

    private func waitForNews() {
        var descriptors = [pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)]
        for worker in workers { descriptors += worker.descriptors }
        _ = poll(&descriptors, nfds_t(descriptors.count), Int32(Self.pace / .milliseconds(1)))
        bell.silence()
    }

    private mutating func listen(to worker: WorkerProcess) throws {
        let isAlive = worker.exchange()
        messages: while let message = worker.nextMessage() {
            switch message {
            case .greeting:
                worker.hasGreeted = true
                badStarts = 0
            case .stage(let stage): note(stage, of: worker)
            case .reply(let reply): try take(reply, from: worker)
            case .nonsense:
                worker.kill()
                break messages
            }
        }
        if !isAlive { try bury(worker) }
    }

    private mutating func note(_ stage: WorkerStage, of worker: WorkerProcess) {
        worker.deadline = deadline(of: worker)
        switch stage {
        case .open: if !worker.assigned.isEmpty { worker.assigned[0].isOpen = true }
        case .ready:
            cores.ask(worker.number)
            // Its silence is not its own now.
            worker.deadline = nil
        case .waiting: cores.takeBack(from: worker.number)
        }
    }

    private mutating func take(_ reply: WorkerReply, from worker: WorkerProcess) throws(Console.OutputError) {
        // Not always the one in work: what is wrong with the next one may be said before.
        guard let place = worker.assigned.firstIndex(where: { $0.item.index == reply.item }) else {
            return worker.kill()
        }
        badStarts = 0
        try results.take(reply, &worker.assigned[place])
        if reply.isLast { try end(worker.assigned.remove(at: place)) }
        worker.deadline = deadline(of: worker)
    }

    private mutating func end(_ assignment: Assignment) throws(Console.OutputError) {
        turns.end(assignment)
        try results.end(assignment)
    }

    /// Sees to what a worker that is gone leaves behind.
    private mutating func bury(_ worker: WorkerProcess) throws {
        forget(worker)
        // Nothing can be heard of it any more, whatever it does.
        worker.kill()
        let ending = worker.reap()
        var left = worker.assigned
        worker.assigned = []
        if !worker.hasGreeted {
            badStarts += 1
            if badStarts > Self.mostBadStarts {
                throw SnapError(
                    .internal, "workers can't be started; \(badStarts) in a row failed: \(ending.reason(order))")
            }
            // That is no input's fault.
            waiting.insert(contentsOf: left.filter { $0.attempts == 0 }, at: 0)
            retries += left.filter { $0.attempts > 0 }
            return
        }
        guard !left.isEmpty else { return }
        var current = left.removeFirst()
        // Those behind it were not begun.
        waiting.insert(contentsOf: left, at: 0)
        current.attempts += 1
        if current.attempts == 1 {
            current.isOpen = false
            retries.append(current)
        } else {
            try results.fail(restOf: &current, ending.error(for: current, order))
            try end(current)
        }
    }

    /// Ends workers that are silent for too long or take too much memory.
    private mutating func lookAfterWorkers() throws {
        let now = ContinuousClock.now
        let pause = now - lookedAt
        guard pause >= Self.pace else { return }
        lookedAt = now
        for worker in workers where !worker.assigned.isEmpty {
            // Nobody listened, so nobody was silent: standard output was full, or the machine slept.
            if pause > .seconds(1) { worker.deadline = worker.deadline.map { $0 + pause } }
            // Not by the end of its replies: what it has started may hold on to the pipe.
            if let deadline = worker.deadline, now > deadline {
                worker.kill(for: .hung)
                try bury(worker)
            } else if worker.memory > order.memoryLimit {
                worker.kill(for: .tookTooMuchMemory)
                try bury(worker)
            }
        }
    }

    private mutating func forget(_ worker: WorkerProcess) {
        workers.removeAll { $0 === worker }
        cores.takeBack(from: worker.number)
    }

    private mutating func remove(_ worker: WorkerProcess) {
        forget(worker)
        worker.kill()
        _ = worker.reap()
    }

    private mutating func endWorkers() {
        for worker in workers { worker.kill() }
        for worker in workers { _ = worker.reap() }
        workers = []
    }
}
