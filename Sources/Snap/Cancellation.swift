import SnapBase
import Synchronization

/// Carries the cancellation of a task to the blocking work that it waits for, and to no other's.
///
/// A video has one interrupt, which its byte source knows since it was opened, but many tasks may wait for it.
final class Cancellation: Sendable {
    let interrupt = Interrupt()

    private struct Jobs {
        var last = 0
        var running: Int?
        var cancelledWaiting: Set<Int> = []
    }

    private let jobs = Mutex(Jobs())

    /// Does blocking work on a queue; stops it when the present task is cancelled.
    func run<T: Sendable>(
        on queue: BlockingQueue, _ work: @escaping @Sendable () throws(SnapError) -> T
    ) async throws(SnapError) -> T {
        let job = jobs.withLock { jobs in
            jobs.last += 1
            return jobs.last
        }
        let result: Result<T, SnapError> = await withTaskCancellationHandler {
            await queue.result { () -> Result<T, SnapError> in
                self.begin(job)
                defer { self.end() }
                return Result { () throws(SnapError) in try work() }
            }
        } onCancel: {
            cancel(job)
        }
        return try result.get()
    }

    private func begin(_ job: Int) {
        jobs.withLock { jobs in
            jobs.running = job
            interrupt.reset()
            if jobs.cancelledWaiting.remove(job) != nil { interrupt.cancel() }
        }
    }

    private func end() { jobs.withLock { $0.running = nil } }

    private func cancel(_ job: Int) {
        jobs.withLock { jobs in
            if jobs.running == job {
                interrupt.cancel()
            } else {
                jobs.cancelledWaiting.insert(job)
            }
        }
    }
}
