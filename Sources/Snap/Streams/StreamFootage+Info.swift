import SnapBase
import SnapMedia
import SnapPlaylist

extension StreamFootage {
    /// What the playlists say, and what the first segment of the best variant holds.
    func info() throws(SnapError) -> VideoInfo {
        try errors.reading {
            let (info, title) = try withRendition { try ($0.info(), $0.title) }
            var whole = info
            if case .variants(let list, _) = top {
                whole.stream?.variants = list.variants.map(StreamFrameFacts.VariantFacts.init)
                whole.actions.insert("of \(list.variants.count) variants, \(title) is taken", at: 0)
            }
            return whole
        }
    }
}
