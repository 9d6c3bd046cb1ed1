import Snap

extension Source {
    /// The videos that were named.
    ///
    /// - Throws: ``SnapError`` with code `usage`.
    static func list(_ typed: [String]) throws(SnapError) -> [Source] {
        if typed.isEmpty {
            throw SnapError(.usage, "no video is named: write snap video.mp4, or snap --help for all that it can do")
        }
        if typed.contains("") { throw SnapError(.usage, "the name of a video is empty") }
        if typed.count(where: { $0 == "-" }) > 1 {
            throw SnapError(.usage, "standard input (-) can be read only once")
        }
        return typed.map { Source($0) }
    }
}
