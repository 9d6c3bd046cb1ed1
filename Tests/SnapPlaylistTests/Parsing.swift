@testable import SnapPlaylist

/// Reads a text, for tests.
func parse(_ text: String, _ change: (inout PlaylistContext) -> Void = { _ in }) throws(PlaylistError) -> Playlist {
    var context = PlaylistContext()
    change(&context)
    return try Playlist.parse(Array(text.utf8), context)
}

func media(_ text: String, _ change: (inout PlaylistContext) -> Void = { _ in }) throws -> MediaPlaylist {
    guard case .media(let list) = try parse("#EXTM3U\n" + text, change) else { throw NotAMediaPlaylist() }
    return list
}

func variants(_ text: String) throws -> MultivariantPlaylist {
    guard case .multivariant(let list) = try parse("#EXTM3U\n" + text) else { throw NotAMediaPlaylist() }
    return list
}

/// The error of a text that can't be read; `nil` where it can.
func failure(_ text: String, _ change: (inout PlaylistContext) -> Void = { _ in }) -> PlaylistError? {
    do throws(PlaylistError) {
        _ = try parse(text, change)
        return nil
    } catch {
        return error
    }
}

struct NotAMediaPlaylist: Error {}
