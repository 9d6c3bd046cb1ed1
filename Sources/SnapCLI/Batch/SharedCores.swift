/// The cores that workers share.
///
/// A worker of files has one for as long as it has something to do. A worker of URLs asks for one when it has bytes to
/// work on, and gives it back when it waits for more: many can wait for servers, and no more compute than there are
/// cores.
struct SharedCores {
    let count: Int
    /// By worker.
    private var lent: Set<Int32> = []
    /// The workers that wait for one, the first first.
    private var asking: [Int32] = []

    init(_ count: Int) { self.count = count }

    /// Whether a worker waits for one: then no work of files is begun that need not be.
    var isAskedFor: Bool { !asking.isEmpty }

    /// - Parameter busy: How many workers of files have something to do.
    func isFree(besides busy: Int) -> Bool { lent.count + busy < count }

    mutating func ask(_ worker: Int32) { asking.append(worker) }

    /// Takes back what a worker has, or is waiting for.
    mutating func takeBack(from worker: Int32) {
        lent.remove(worker)
        asking.removeAll { $0 == worker }
    }

    /// Lends a core that is free.
    ///
    /// - Returns: The worker that has it now; `nil` when there is none to lend, or nobody to lend it to.
    mutating func lend(besides busy: Int) -> Int32? {
        guard isAskedFor, isFree(besides: busy) else { return nil }
        let worker = asking.removeFirst()
        lent.insert(worker)
        return worker
    }
}
