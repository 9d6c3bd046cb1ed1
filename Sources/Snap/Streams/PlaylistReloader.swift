import SnapBase
import SnapNetwork
import SnapPlaylist

/// Asks for the playlist of a rendition again while it is live, and never more often than it should be.
final class PlaylistReloader {
    private let rendition: Rendition
    private let address: StreamAddress
    private let definitions: [String: String]
    private let loader: PlaylistLoader
    private let interrupt: Interrupt

    private var loadedAt: ContinuousClock.Instant
    /// When the playlist last brought something new, as far as that was seen.
    private var changedAt: ContinuousClock.Instant
    /// Whether the server was asked in vain to answer when there is something new.
    private var blocksInVain = false
    /// How often the stream began anew.
    private(set) var restarts = 0

    /// - Parameters:
    ///   - rendition: Its playlist was just loaded.
    ///   - address: Where that is, as it stands in the list of variants.
    ///   - loadedAt: When that was.
    ///   - definitions: What that list defines for it (EXT-X-DEFINE).
    init(
        _ rendition: Rendition, address: StreamAddress, loadedAt: ContinuousClock.Instant,
        definitions: [String: String], loader: PlaylistLoader, interrupt: Interrupt
    ) {
        self.loadedAt = loadedAt
        changedAt = loadedAt
        self.rendition = rendition
        self.address = address
        self.definitions = definitions
        self.loader = loader
        self.interrupt = interrupt
    }

    private var playlist: MediaPlaylist { rendition.playlist }

    /// For how long nothing new came, where that means that the stream stands still.
    var standstill: Duration? {
        let time = ContinuousClock.now - changedAt
        return playlist.isLive && time > Duration(playlist.staleness) ? time : nil
    }

    /// Asks for the playlist again, unless that was done a moment ago: then only of a server that answers when there is
    /// something new, once another part should be there.
    ///
    /// - Parameter force: Waits until it may be done, instead.
    func reload(force: Bool = false) throws {
        guard playlist.isLive else { return }
        if ContinuousClock.now < nextReload {
            let isDue = playlist.nextPart.map { ContinuousClock.now >= loadedAt + Duration($0) } ?? false
            if force || isDue, !blocksInVain {
                blocksInVain = try !reloadWhenNewer()
                if !blocksInVain { return }
            }
            guard force else { return }
            try wait(until: nextReload)
        }
        blocksInVain = false
        _ = try take(loader.load(address, imports: definitions))
    }

    private var nextReload: ContinuousClock.Instant { loadedAt + Duration(playlist.shortestReload) }

    /// Asks for what is newer than the list that is there, of a server that answers when it has it.
    ///
    /// - Returns: Whether that brought something. If not, the next usual request will tell why.
    private func reloadWhenNewer() throws -> Bool {
        guard let query = playlist.blockingReload, let address = try address.appending(query: query) else {
            return false
        }
        // Nothing new for several parts: the stream stands still.
        let patience = max(Duration(playlist.nextPart ?? playlist.targetDuration) * 3, .seconds(1))
        do {
            let loaded = try loader.load(address, imports: definitions) {
                $0.firstByteTimeout = min($0.firstByteTimeout, patience)
                $0.retryDelays = []
            }
            return try take(loaded)
        } catch is NetworkError {
            return false
        } catch let error as SnapError where error.code == .notMedia {
            return false
        }
    }

    /// - Returns: Whether the list is another one than before.
    private func take(_ loaded: PlaylistLoader.Loaded) throws -> Bool {
        guard case .media(let newer) = loaded.playlist else {
            throw SnapError(.notMedia, source: loaded.address.name, "a list of segments became one of variants")
        }
        loadedAt = loaded.moment
        let older = playlist
        let change = newer.change(since: older)
        // Older copies give way to newer ones soon; a stream that began anew under the same names doesn't.
        let isRestart = change == .restarted || change == .outdated && standstill != nil
        if change == .outdated, !isRestart { return false }
        if isRestart { restarts += 1 }
        rendition.store.base = loaded.address
        rendition.replace(
            newer, origin: rendition.origin + (isRestart ? older.duration : newer.offset(from: older)),
            isRestart: isRestart)
        if change != .unchanged { changedAt = .now }
        return change != .unchanged
    }

    func wait(until moment: ContinuousClock.Instant) throws {
        let what = playlist.segments.isEmpty ? "its first segment, for the playlist names none" : "a newer playlist"
        interrupt.pause(for: "for \(what)")
        while ContinuousClock.now < moment {
            try interrupt.check()
            let left = min(moment - .now, .milliseconds(50))
            Wait.briefly(left)
        }
    }

    /// An empty list is one of a stream that has not begun.
    func awaitSegments() throws {
        while playlist.segments.isEmpty, playlist.isLive { try reload(force: true) }
        if playlist.segments.isEmpty { throw rendition.emptyList() }
    }
}
