import TestSupport
import Testing

@testable import SnapCLI

@Suite struct SharedCoresTests {
    @Test func whoAsksFirstHasOneFirst() {
        var cores = SharedCores(2)
        for worker in [7, 5, 9] as [Int32] { cores.ask(worker) }
        #expect(cores.lend(besides: 0) == 7 && cores.lend(besides: 0) == 5)
        #expect(cores.lend(besides: 0) == nil && cores.isAskedFor)
        cores.takeBack(from: 5)
        #expect(cores.lend(besides: 0) == 9 && !cores.isAskedFor)
    }

    @Test func filesInWorkHaveCores() {
        var cores = SharedCores(2)
        cores.ask(1)
        cores.ask(2)
        #expect(cores.lend(besides: 2) == nil && !cores.isFree(besides: 2))
        #expect(cores.lend(besides: 1) == 1 && !cores.isFree(besides: 1))
        #expect(cores.lend(besides: 1) == nil)
    }

    /// A worker that is killed says nothing any more: what it had, or waited for, is taken back when it is buried.
    @Test func whateverWorkersDoNoCoreIsLostOrLentTwice() {
        var random = SeededRandom(seed: 3)
        var cores = SharedCores(3)
        var (asking, having): (Set<Int32>, Set<Int32>) = ([], [])
        for _ in 0..<10_000 {
            let worker = Int32.random(in: 0..<8, using: &random)
            if !asking.contains(worker), !having.contains(worker), Bool.random(using: &random) {
                cores.ask(worker)
                asking.insert(worker)
            } else {
                cores.takeBack(from: worker)
                asking.remove(worker)
                having.remove(worker)
            }
            while let worker = cores.lend(besides: 1) {
                #expect(asking.remove(worker) != nil)
                having.insert(worker)
            }
            #expect(having.count <= 2 && (having.count == 2 || asking.isEmpty))
        }
    }
}
