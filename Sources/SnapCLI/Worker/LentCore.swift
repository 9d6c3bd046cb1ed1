import Dispatch
import Snap
import Synchronization

/// A core that the supervisor lends to the one request that is in work.
///
/// Asked for and given back by the thread that works; lent by the one that reads.
final class LentCore: CoreTurn {
    private let channel: ReplyChannel
    private let isLent = Atomic(false)
    private let loans = DispatchSemaphore(value: 0)

    init(_ channel: ReplyChannel) { self.channel = channel }

    /// Blocks for as long as the supervisor has none; who doesn't want to wait ends the process.
    func take() {
        if isLent.load(ordering: .relaxed) { return }
        tell(.ready)
        loans.wait()
        isLent.store(true, ordering: .relaxed)
    }

    func giveBack() {
        if isLent.exchange(false, ordering: .relaxed) { tell(.waiting) }
    }

    /// The supervisor has one.
    func lend() { loans.signal() }

    /// A supervisor that is gone is noticed by the thread that reads.
    private func tell(_ stage: WorkerStage) { try? channel.send(line: stage.line) }
}
