/// An HLS playlist (RFC 8216 and its second edition, draft-pantos-hls-rfc8216bis): text in, values out.
package enum Playlist: Sendable, Hashable {
    case multivariant(MultivariantPlaylist)
    case media(MediaPlaylist)

    /// Whether bytes begin as a playlist does. 10 bytes are enough to tell.
    package static func isPlaylist(_ bytes: [UInt8]) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        return text.starts(with: "#EXTM3U".utf8)
    }

    /// Reads a playlist. Tags and attributes that are not known are passed over; what would lead to wrong times, wrong
    /// bytes or a wrong key is an error.
    ///
    /// - Parameter context: What the text can't know of itself, and the limits.
    /// - Throws: ``PlaylistError``, with the line.
    /// - Complexity: Linear in the length of the text.
    package static func parse(
        _ bytes: [UInt8], _ context: PlaylistContext = PlaylistContext()
    ) throws(PlaylistError) -> Playlist {
        guard isPlaylist(bytes) else {
            throw PlaylistError(.notAPlaylist, "it does not begin with #EXTM3U")
        }
        guard bytes.count <= context.limits.mediaByteCount else {
            throw PlaylistError(.tooLarge, "the playlist is longer than \(context.limits.mediaByteCount) bytes")
        }
        var parser = PlaylistParser(context)
        var lines = PlaylistLines(bytes, limit: context.limits.lineByteCount)
        while let line = try lines.next() { try parser.take(line, number: lines.number) }
        return try parser.finished(byteCount: bytes.count)
    }
}
