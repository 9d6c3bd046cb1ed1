import Dispatch
import Snap
import Synchronization

/// Takes pictures of many videos, by workers.
struct BatchRun {
    private let order: BatchOrder
    private let unfinished: UnfinishedFiles

    init(_ order: BatchOrder, unfinished: UnfinishedFiles) {
        self.order = order
        self.unfinished = unfinished
    }

    /// - Returns: The exit code.
    /// - Throws: ``SnapError`` before any work begins, and where it can't go on.
    func run() async throws(SnapError) -> Int32 {
        FileDescriptor.raiseLimit()
        try order.timeIndex?.prepare()
        let bell: Bell
        do throws(SystemError) { bell = try Bell() } catch { throw SnapError(.internal, "\(error)") }
        let queue = ItemQueue(ringing: bell)
        let stop = Flag()
        let list = InputList(order, into: queue)
        DispatchQueue(label: "snap.list").async { list.run() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "snap.batch").async { [order, unfinished] in
                    let result = Result {
                        let results = try BatchResults(order, unfinished: unfinished)
                        var supervisor = Supervisor(order, queue, bell, results: results) { stop.isSet }
                        return try supervisor.run()
                    }
                    continuation.resume(returning: result)
                }
            }
        } onCancel: {
            stop.set()
            bell.ring()
        }
        queue.close()
        do { return try result.get() } catch let error as SnapError { throw error } catch let error
            as Console.OutputError
        {
            return Console.exitCode(for: error)
        } catch {
            throw SnapError(.internal, "\(error)")
        }
    }
}

/// Something that one thread sets and another one asks for.
private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}
