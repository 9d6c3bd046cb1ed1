import Dispatch

/// Runs blocking work one job after the other, on threads of Dispatch's and never on Swift's cooperative pool, whose
/// few threads everybody shares.
struct BlockingQueue: Sendable {
    private let queue = DispatchQueue(label: "snap")

    /// Does the work when all that was asked before is done, and waits for it without blocking a thread.
    func run<T: Sendable, E: Error>(_ work: @escaping @Sendable () throws(E) -> T) async throws(E) -> T {
        let result: Result<T, E> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result { () throws(E) -> T in try work() }) }
        }
        return try result.get()
    }
}
