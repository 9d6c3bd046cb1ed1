import SnapBase
import Synchronization

/// Carries the cancellation of a task to the blocking work that it waits for, and to no other's.
///
/// A video has one interrupt, which its byte source knows since it was opened, but many tasks may wait for it.
final class Cancellation: Sendable {
    let interrupt: Interrupt

    private enum Stage {
        case asked
        case cancelled
        /// Behind other work; with how to tell who waits that it won't be done.
        case waiting(refuse: @Sendable () -> Void)
        case running
    }

    private struct Jobs {
        var last = 0
        /// Of those that are not done.
        var stages: [Int: Stage] = [:]
    }

    private let jobs = Mutex(Jobs())

    init(turn: (any CoreTurn)?) { interrupt = Interrupt(turn: turn) }

    /// Does blocking work on a queue. When the present task is cancelled, the work is stopped; work that did not begin
    /// is given up at once.
    ///
    /// - Parameter source: What an error calls the video.
    func run<T: Sendable>(
        on queue: BlockingQueue, source: String, _ work: @escaping @Sendable () throws(SnapError) -> T
    ) async throws(SnapError) -> T {
        let job = jobs.withLock { jobs in
            jobs.last += 1
            jobs.stages[jobs.last] = .asked
            return jobs.last
        }
        defer { jobs.withLock { _ = $0.stages.removeValue(forKey: job) } }
        let result: Result<T, SnapError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let refuse: @Sendable () -> Void = {
                    continuation.resume(returning: .failure(SnapError(.cancelled, source: source, "cancelled")))
                }
                guard waits(job, refuse) else { return refuse() }
                queue.perform {
                    guard self.begins(job) else { return }
                    let result = Result { () throws(SnapError) in try work() }
                    self.end(job)
                    continuation.resume(returning: result)
                }
            }
        } onCancel: {
            cancel(job)
        }
        return try result.get()
    }

    /// - Returns: Whether the job is still wanted.
    private func waits(_ job: Int, _ refuse: @escaping @Sendable () -> Void) -> Bool {
        jobs.withLock { jobs in
            guard case .asked = jobs.stages[job] else { return false }
            jobs.stages[job] = .waiting(refuse: refuse)
            return true
        }
    }

    /// - Returns: Whether the job is still wanted.
    private func begins(_ job: Int) -> Bool {
        jobs.withLock { jobs in
            guard case .waiting = jobs.stages[job] else { return false }
            jobs.stages[job] = .running
            interrupt.reset()
            return true
        }
    }

    private func end(_ job: Int) { jobs.withLock { _ = $0.stages.removeValue(forKey: job) } }

    private func cancel(_ job: Int) {
        let refuse = jobs.withLock { jobs -> (@Sendable () -> Void)? in
            switch jobs.stages[job] {
            case .asked:
                jobs.stages[job] = .cancelled
                return nil
            case .waiting(let refuse):
                jobs.stages[job] = .cancelled
                return refuse
            case .running:
                interrupt.cancel()
                return nil
            case .cancelled, nil: return nil
            }
        }
        refuse?()
    }
}
