import Dispatch

/// Runs blocking work one job after the other, on threads of Dispatch's and never on Swift's cooperative pool, whose
/// few threads everybody shares.
struct BlockingQueue: Sendable {
    private let queue = DispatchQueue(label: "snap")

    /// Does the work when all that was asked before is done.
    func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Does the work when all that was asked before is done, and waits for it without blocking a thread.
    func result<T: Sendable>(_ work: @escaping @Sendable () -> T) async -> T {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }
}
