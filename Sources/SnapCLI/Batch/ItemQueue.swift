import Snap
import Synchronization

/// Inputs between the thread that lists them and the one that has them worked on.
final class ItemQueue: Sendable {
    enum Entry: Sendable {
        case item(BatchItem)
        /// An input that can't even be asked for.
        case mistake(index: Int, input: String, SnapError)
    }

    /// As many wait in memory; listing waits then.
    private static let limit = 1024

    private struct State {
        /// The next last.
        var ready: [Entry] = []
        var added: [Entry] = []
        var hasEnded = false
        var failure: SnapError?
        var isClosed = false
    }

    private let state = Mutex(State())
    private let space = Places(limit)
    private let bell: Bell

    /// - Parameter bell: Rung when there is something new.
    init(ringing bell: Bell) { self.bell = bell }

    /// Puts an input behind the others. Blocks while there are too many.
    ///
    /// - Returns: False when nobody will take it any more.
    func add(_ entry: Entry) -> Bool {
        space.take()
        let isOpen = state.withLock { state in
            state.added.append(entry)
            return !state.isClosed
        }
        bell.ring()
        return isOpen
    }

    /// No input will come any more.
    ///
    /// - Parameter failure: Why the list could not be read to its end.
    func end(_ failure: SnapError? = nil) {
        state.withLock { state in
            state.hasEnded = true
            state.failure = failure
        }
        bell.ring()
    }

    /// Takes no more; whoever waits to add something is let go.
    func close() {
        state.withLock { $0.isClosed = true }
        space.giveBack()
    }

    /// The next input that is there now.
    func next() -> Entry? {
        let entry = state.withLock { state -> Entry? in
            if state.ready.isEmpty {
                state.ready = state.added.reversed()
                state.added = []
            }
            return state.ready.popLast()
        }
        if entry != nil { space.giveBack() }
        return entry
    }

    /// Why the list could not be read to its end; `nil` if it could.
    var failure: SnapError? { state.withLock { $0.failure } }

    /// Whether all inputs were given out.
    var isDone: Bool { state.withLock { $0.hasEnded && $0.ready.isEmpty && $0.added.isEmpty } }
}
