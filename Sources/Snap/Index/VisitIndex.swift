import SnapMedia

/// The time index during one visit: read when the source is opened, and written when there is something to add.
final class VisitIndex {
    let indexer: TimeIndexer
    private let store: TimeIndexStore
    /// How many key frames it had when it was last written.
    private var writtenCount = 0
    private var hasWritten = false
    /// Why it can't be written, as a sentence; `nil` while it can.
    private(set) var note: String?

    init(_ store: TimeIndexStore) {
        self.store = store
        indexer = TimeIndexer(knowing: store.load())
    }

    /// Writes what the visit learned, if there is anything.
    ///
    /// - Parameter isLast: Whether no picture is waited for. Between pictures it is written only when it has grown by an
    ///   eighth.
    /// - Returns: What the index did for the visit so far.
    func keep(of seeker: FrameSeeker, isLast: Bool) -> TimeIndexUse {
        let count = indexer.index?.keys.count ?? 0
        if note == nil, isLast || count > writtenCount + writtenCount / 8, let learned = seeker.takeLearnedIndex() {
            do throws(SnapError) {
                if try store.keep(learned, replaces: indexer.wasWrong) { hasWritten = true }
                writtenCount = count
            } catch {
                note = "the time index \(error)"
            }
        }
        return switch (indexer.wasUsed, hasWritten) {
        case (true, true): .extended
        case (true, false): .read
        case (false, true): .written
        case (false, false): .none
        }
    }
}
