/// The lines of a playlist, one after the other, without their line ends (LF or CRLF).
struct PlaylistLines {
    private var rest: ArraySlice<UInt8>
    private let limit: Int
    /// The number of the line that was given last, from 1.
    private(set) var number = 0

    init(_ bytes: [UInt8], limit: Int) {
        rest = bytes[...]
        self.limit = limit
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if rest.starts(with: mark) { rest = rest.dropFirst(mark.count) }
    }

    /// The next line; `nil` at the end.
    mutating func next() throws(PlaylistError) -> ArraySlice<UInt8>? {
        guard !rest.isEmpty else { return nil }
        number += 1
        var end = rest.startIndex
        while end < rest.endIndex, rest[end] != UInt8(ascii: "\n") {
            end += 1
            if end - rest.startIndex > limit {
                throw PlaylistError(.tooLarge, line: number, "the line is longer than \(limit) bytes")
            }
        }
        var line = rest[rest.startIndex..<end]
        rest = end < rest.endIndex ? rest[(end + 1)...] : []
        while let last = line.last, last == UInt8(ascii: "\r") || last == UInt8(ascii: " ") || last == 9 {
            line = line.dropLast()
        }
        return line
    }
}
