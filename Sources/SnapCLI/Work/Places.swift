import Dispatch

/// So many places, which threads take and give back.
///
/// Made of a semaphore that begins at 0: Dispatch ends the process when one goes away below where it began.
struct Places: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    init(_ count: Int) {
        for _ in 0..<count { semaphore.signal() }
    }

    /// Takes a place; blocks until there is one.
    func take() { semaphore.wait() }

    func giveBack() { semaphore.signal() }
}
