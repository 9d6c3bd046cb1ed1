import SnapBase
import SnapPlaylist

/// What libFuzzer calls with each input; `scripts/fuzz` builds a program around it.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var context = PlaylistContext()
    context.queryParameters = ["q": "1"]
    context.importedVariables = ["i": "{$x}"]
    // Small enough for a fuzzer to reach.
    context.limits.segments = 100
    context.limits.lineByteCount = 1000
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    // A zero parts a live playlist from what it becomes.
    let lists = bytes.split(separator: 0, maxSplits: 1).map { try? Playlist.parse(Array($0), context) }
    for list in lists {
        switch list {
        case .media(let list)?: check(list)
        case .multivariant(let list)?: check(list)
        case nil: break
        }
    }
    if lists.count == 2, case .media(let older)? = lists[0], case .media(let newer)? = lists[1] {
        _ = (newer.change(since: older), newer.offset(from: older))
    }
    return 0
}

/// Asks everything that a playlist is asked, and insists on what must be so.
private func check(_ list: MediaPlaylist) {
    for (index, segment) in list.segments.enumerated() {
        precondition(segment.duration >= .zero && !segment.pieces.isEmpty)
        precondition(segment.isComplete || index == list.segments.count - 1)
        precondition(segment.isGap || segment.pieces.allSatisfy { !$0.uri.isEmpty })
        precondition(segment.initializationVector.count == 16)
        precondition(segment.sequence == list.mediaSequence + UInt64(index))
        if let found = list.segmentIndex(at: segment.start) { precondition(list.segments.indices.contains(found)) }
    }
    let dates = list.dates
    precondition(dates.count == list.segments.count)
    for case let date? in dates { precondition(list.place(of: date) != .undated) }
    precondition(list.change(since: list) == .unchanged)
    precondition(list.newestParts.allSatisfy { !$0.uri.isEmpty && $0.keys.isEmpty })
    _ = (list.offset(from: list), list.shortestReload, list.staleness, list.newestIndex, list.duration)
    _ = list.blockingReload
}

private func check(_ list: MultivariantPlaylist) {
    for selection in [VariantSelection.automatic, .smallest, .largest, .index(0), .bandwidth(1)] {
        let ranked = list.ranked(for: VariantWish(selection, for: .box(width: 320, height: 180))) { $0 != "av1" }
        precondition(ranked.variants.count <= list.variants.count)
        for variant in ranked.variants { _ = list.videoURI(of: variant) }
    }
}
