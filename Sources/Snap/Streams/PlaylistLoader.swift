import SnapBase
import SnapNetwork
import SnapPlaylist

/// Fetches playlists and reads them.
struct PlaylistLoader {
    let fetcher: StreamFetcher
    private let limits = PlaylistLimits()

    /// A playlist, and where it came from in the end: references in it are resolved against that.
    struct Loaded {
        let playlist: Playlist
        let address: StreamAddress
        let moment = ContinuousClock.now
    }

    /// - Parameters:
    ///   - imports: What the multivariant playlist defines, for a media playlist of it (EXT-X-DEFINE).
    ///   - change: Adapts how HTTP is spoken.
    func load(
        _ address: StreamAddress, imports: [String: String] = [:],
        changing change: (inout HTTPOptions) -> Void = { _ in }
    ) throws -> Loaded {
        let resource = try fetcher.fetch(
            address, kind: "the playlist", limit: limits.mediaByteCount, changing: change)
        return try Self.read(resource.bytes, at: resource.address, imports: imports)
    }

    /// Reads a playlist that was fetched.
    static func read(
        _ bytes: [UInt8], at address: StreamAddress, imports: [String: String] = [:]
    ) throws -> Loaded {
        var context = PlaylistContext()
        context.importedVariables = imports
        if case .url(let url) = address { context.queryParameters = url.queryParameters }
        do throws(PlaylistError) {
            return Loaded(playlist: try Playlist.parse(bytes, context), address: address)
        } catch {
            throw SnapError(.notMedia, source: address.name, "not a playlist that can be read: \(error)")
        }
    }
}
