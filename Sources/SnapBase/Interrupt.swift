import Synchronization

/// The one thing that two threads share: says that work must stop, because it was cancelled or its time is up.
///
/// Blocking work asks ``reason`` between steps, at least every 100 ms. Asking is cheap: an atomic load, and the clock
/// where there is a deadline.
public final class Interrupt: Sendable {
    public enum Reason: Sendable, Hashable {
        case cancelled
        case timedOut
    }

    private let isCancelled = Atomic(false)
    private let deadline: Mutex<ContinuousClock.Instant?>
    private let turn: (any CoreTurn)?
    private let waited = Mutex(Duration.zero)
    private let wanting = Mutex<String?>(nil)

    /// - Parameter deadline: When work stops by itself; `nil` for never.
    public init(deadline: ContinuousClock.Instant? = nil) {
        self.deadline = Mutex(deadline)
        turn = nil
    }

    /// - Parameter turn: Given back while the work waits for bytes; `nil` where cores are not shared.
    package init(turn: (any CoreTurn)?) {
        deadline = Mutex(nil)
        self.turn = turn
    }

    /// Asks the work to stop. May be called from any thread, more than once.
    public func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// Makes it usable for the next work after the last one was cancelled.
    package func reset() { isCancelled.store(false, ordering: .relaxed) }

    /// Sets a new deadline, for work that goes in steps with a time limit each.
    public func setDeadline(_ instant: ContinuousClock.Instant?) {
        deadline.withLock { $0 = instant }
        wanting.withLock { $0 = nil }
    }

    /// Why work must stop, or `nil` while it may go on.
    public var reason: Reason? {
        if isCancelled.load(ordering: .relaxed) { return .cancelled }
        if let limit = deadline.withLock({ $0 }), ContinuousClock.now >= limit { return .timedOut }
        return nil
    }

    /// - Throws: ``Interrupted`` when work must stop.
    public func check() throws(Interrupted) {
        if let reason { throw Interrupted(reason: reason) }
    }

    /// The work waits for bytes: others may have the core.
    ///
    /// - Parameter what: Who lets it wait, as a clause for people: `for bytes of https://host/a.ts`.
    package func pause(for what: String) {
        wanting.withLock { $0 = what }
        turn?.giveBack()
    }

    /// There are bytes: waits for a core. That time doesn't count, the deadline moves.
    package func resume() {
        wanting.withLock { $0 = nil }
        guard let turn else { return }
        let start = ContinuousClock.now
        turn.take()
        let time = ContinuousClock.now - start
        waited.withLock { $0 += time }
        deadline.withLock { $0 = $0.map { $0 + time } }
    }

    /// What the work waits for, as a clause for people; `nil` while it goes on.
    package var want: String? { wanting.withLock { $0 } }

    /// How long the work waited for cores so far.
    package var timeWaited: Duration { waited.withLock { $0 } }

    /// The time left until the deadline, never negative; `nil` without one.
    public var timeLeft: Duration? {
        deadline.withLock { $0 }.map { max($0 - ContinuousClock.now, .zero) }
    }
}

/// Work that was stopped by its ``Interrupt``.
public struct Interrupted: Error, Sendable, Hashable {
    public let reason: Interrupt.Reason
    public init(reason: Interrupt.Reason) { self.reason = reason }
}
