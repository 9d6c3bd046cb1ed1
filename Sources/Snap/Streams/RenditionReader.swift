import SnapBase
import SnapMedia
import SnapNetwork
import SnapPlaylist

/// Moments of one rendition. Its playlist is asked for again while it is live, and never more often than it should be.
final class RenditionReader {
    let rendition: Rendition
    let variant: Variant?
    private let address: StreamAddress
    private let definitions: [String: String]
    private let loader: PlaylistLoader
    private let options: VideoOptions
    let interrupt: Interrupt

    private(set) var loadedAt = ContinuousClock.now
    /// When the playlist last brought something new, as far as that was seen.
    private var changedAt = ContinuousClock.now
    /// How often the stream began anew.
    private(set) var restarts = 0

    init(
        _ rendition: Rendition, variant: Variant?, address: StreamAddress, definitions: [String: String],
        loader: PlaylistLoader, options: VideoOptions, interrupt: Interrupt
    ) {
        self.rendition = rendition
        self.variant = variant
        self.address = address
        self.definitions = definitions
        self.loader = loader
        self.options = options
        self.interrupt = interrupt
    }

    var playlist: MediaPlaylist { rendition.playlist }
    var errors: ErrorSource { rendition.errors }

    /// What the variant is, for people.
    var title: String {
        guard let variant else { return "the only one" }
        if let width = variant.width, let height = variant.height { return "\(width)x\(height)" }
        return variant.bandwidth.map { "\($0) bit/s" } ?? variant.uri
    }

    // MARK: The playlist

    /// Asks for the playlist again, unless that was done a moment ago: then only of a server that answers when there is
    /// something new, once another part should be there.
    ///
    /// - Parameter force: Waits until it may be done, instead.
    private func reload(force: Bool = false) throws {
        guard playlist.isLive else { return }
        if ContinuousClock.now < nextReload {
            let isDue = playlist.partTarget.map { ContinuousClock.now >= loadedAt + Duration($0) } ?? false
            if force || isDue, try reloadWhenNewer() { return }
            guard force else { return }
            try wait(until: nextReload)
        }
        _ = try take(loader.load(address, imports: definitions))
    }

    private var nextReload: ContinuousClock.Instant { loadedAt + Duration(playlist.shortestReload) }

    /// Asks for what is newer than the list that is there, of a server that answers when it has it.
    ///
    /// - Returns: Whether that brought something. If not, the usual request will tell why.
    private func reloadWhenNewer() throws -> Bool {
        guard let query = playlist.blockingReload, let address = try address.appending(query: query) else {
            return false
        }
        // Nothing new for several parts: the stream stands still.
        let patience = max(Duration(playlist.partTarget ?? playlist.targetDuration) * 3, .seconds(1))
        do {
            let loaded = try loader.load(address, imports: definitions) {
                $0.firstByteTimeout = min($0.firstByteTimeout, patience)
                $0.retryDelays = []
            }
            return try take(loaded)
        } catch is NetworkError {
            return false
        }
    }

    /// - Returns: Whether the list is another one than before.
    private func take(_ loaded: PlaylistLoader.Loaded) throws -> Bool {
        guard case .media(let newer) = loaded.playlist else {
            throw SnapError(.notMedia, source: loaded.address.name, "a list of segments became one of variants")
        }
        loadedAt = .now
        let older = playlist
        let change = newer.change(since: older)
        if change == .outdated { return false }
        let isRestart = change == .restarted
        if isRestart { restarts += 1 }
        rendition.store.base = loaded.address
        rendition.replace(
            newer, origin: rendition.origin + (isRestart ? older.duration : newer.offset(from: older)),
            isRestart: isRestart)
        if change != .unchanged { changedAt = .now }
        return change != .unchanged
    }

    private func wait(until moment: ContinuousClock.Instant) throws {
        while ContinuousClock.now < moment {
            try interrupt.check()
            let left = min(moment - .now, .milliseconds(50))
            Wait.briefly(left)
        }
    }

    /// An empty list is one of a stream that has not begun.
    private func awaitSegments() throws {
        while playlist.segments.isEmpty, playlist.isLive { try reload(force: true) }
        if playlist.segments.isEmpty { throw rendition.emptyList() }
    }

    // MARK: Times

    /// From the stream's start to the end of its last segment.
    func length() throws -> MediaTime {
        try awaitSegments()
        return rendition.origin + playlist.duration
    }

    func place(of position: StreamPosition) throws -> Moment.Target {
        try awaitSegments()
        // The newest frame is looked for when it is taken.
        if position == .live(.zero) { return .lastFrame }
        try reload()
        switch position {
        case .live(let behind):
            let time = playlist.duration - behind
            guard time >= .zero else {
                throw SnapError(
                    .outsideWindow, source: errors.name,
                    "live-\(behind.decimalSeconds)s is before the stream's window, which holds the last \(playlist.duration.decimalSeconds) s"
                )
            }
            return .time(rendition.origin + time)
        case .date(let date):
            switch playlist.place(of: date) {
            case .time(let time): return .time(rendition.origin + time)
            case .undated:
                throw SnapError(
                    .outsideWindow, source: errors.name,
                    "the stream has no dates (EXT-X-PROGRAM-DATE-TIME), so that \(date) can't be found in it")
            case .outside(let from, let to):
                throw SnapError(
                    .outsideWindow, source: errors.name,
                    "\(date) is not in the stream, which goes from \(from) to \(to)")
            }
        }
    }

    // MARK: Frames

    func frame(
        at target: Moment.Target, next: Moment.Target?, _ wishes: SnapshotOptions
    ) throws -> FootageFrame {
        try awaitSegments()
        switch target {
        case .lastFrame: return try newestFrame(wishes)
        case .frame(let number): return footageFrame(try rendition.frame(number: number, wishes))
        case .representative: return footageFrame(try rendition.frame(at: rendition.place(at: .zero), wishes))
        case .time(let time):
            try checkWindow(time)
            do {
                let following = try next?.time.map { try rendition.place(at: $0) }
                return footageFrame(try rendition.frame(at: rendition.place(at: time), next: following, wishes))
            } catch  where isMissing(error) && playlist.isLive {
                // It may have left the window since the list was fetched: the same moment of the list of now.
                try reload(force: true)
                try checkWindow(time)
                return footageFrame(try rendition.frame(at: rendition.place(at: time), wishes))
            }
        }
    }

    private func checkWindow(_ time: MediaTime) throws {
        guard playlist.isLive, time < rendition.origin else { return }
        let gone = rendition.origin - time
        throw SnapError(
            .outsideWindow, source: errors.name,
            "this time left the live stream's window \(gone.decimalSeconds) s ago; it holds \(playlist.duration.decimalSeconds) s"
        )
    }

    /// The last frame that can be had: of the last segment, or while that is not there yet, of the one before.
    private func newestFrame(_ wishes: SnapshotOptions) throws -> FootageFrame {
        try reload()
        guard let newest = playlist.newestIndex else {
            throw SnapError(.gap, source: errors.name, "every segment of the playlist is a gap")
        }
        var taken: Rendition.Taken
        do {
            taken = try newestFrame(of: newest, wishes)
        } catch  where isMissing(error) && playlist.isLive {
            try wait(until: .now + min(Duration(playlist.shortestReload), .seconds(1)))
            try reload()
            let newest = playlist.newestIndex ?? 0
            do {
                taken = try newestFrame(of: newest, wishes)
            } catch  where isMissing(error) && newest > 0 {
                taken = try newestFrame(of: newest - 1, wishes)
            }
        }
        if playlist.isLive, ContinuousClock.now - changedAt > Duration(playlist.staleness) {
            let seconds = (ContinuousClock.now - changedAt).components.seconds
            taken.remark = .init(
                code: "stale",
                sentence: "the live stream stands still: its playlist brought nothing new for \(seconds) s")
        }
        let frame = footageFrame(taken)
        if let limit = options.maximumAge, let age = frame.stream?.age, age > MediaTime(limit) {
            throw SnapError(
                .tooOld, source: errors.name,
                "the newest frame is \(age.decimalSeconds) s old, and \(MediaTime(limit).decimalSeconds) s are allowed")
        }
        return frame
    }

    /// Whether the server says that there is no such thing, now or any longer.
    private func isMissing(_ error: any Error) -> Bool {
        let error = SnapError(any: error, errors)
        return error.code == .notFound || error.httpStatus == 404 || error.httpStatus == 410
    }

    private func newestFrame(of index: Int, _ wishes: SnapshotOptions) throws -> Rendition.Taken {
        if index == playlist.newestIndex,
            let taken = try rendition.lastFrame(ofParts: playlist.newestParts, in: index, wishes)
        {
            return taken
        }
        if !wishes.tolerance.isExact {
            let end = Rendition.Place(index: index, offset: playlist.segments[index].duration)
            if let key = try rendition.keyFrame(at: end) { return key }
        }
        return try rendition.lastFrame(of: index, wishes)
    }

    // MARK: What is in it

    func info() throws -> VideoInfo {
        try awaitSegments()
        guard let first = playlist.segments.firstIndex(where: { !$0.isGap }) else { throw rendition.emptyList() }
        let seeker = try rendition.seeker(over: first...first)
        let origin = FrameTime(time: .zero, pts: seeker.origin, timeBase: seeker.timeBase)
        var info = try VideoInfo(
            surveying: seeker, facts: seeker.streamFacts(), length: length(), start: origin, errors: errors)
        let format = rendition.format ?? .transportStream
        info.container = "HLS"
        info.containerNames = "hls"
        info.byteCount = nil
        let dates = playlist.dates.compactMap(\.self)
        info.stream = StreamInfo(
            segmentFormat: format.title, segments: playlist.segments.count(where: \.isComplete),
            targetDuration: playlist.targetDuration, isLive: playlist.isLive,
            isEncrypted: playlist.segments.contains { !$0.keys.isEmpty },
            dates: dates.min().flatMap { least in dates.max().map { least...$0 } })
        return info
    }

    func keyFrame(near time: MediaTime) throws -> FootageFrame? {
        try awaitSegments()
        let place = try rendition.place(at: max(time, rendition.origin))
        if playlist.segments[place.index].isGap { return nil }
        guard let taken = try rendition.keyFrame(at: place) else { return nil }
        return footageFrame(taken)
    }

    func footageFrame(_ taken: consuming Rendition.Taken) -> FootageFrame {
        let segment = playlist.segments[taken.index]
        var facts = StreamFrameFacts(
            variant: variant.map(StreamFrameFacts.VariantFacts.init), segment: segment.sequence,
            isLive: playlist.isLive, restarts: restarts)
        let offset = taken.time.time - rendition.origin - segment.start
        facts.programDate = playlist.date(ofSegment: taken.index).map { $0 + offset }
        if playlist.isLive { facts.age = facts.programDate.map { WallClock.now - $0 } }
        return taken.footageFrame(facts)
    }
}

extension Rendition.Taken {
    /// The same for the layer above.
    fileprivate consuming func footageFrame(_ facts: StreamFrameFacts) -> FootageFrame {
        let (time, streamFacts, remark) = (time, self.facts, remark)
        return FootageFrame(found: found, time: time, facts: streamFacts, stream: facts, remark: remark)
    }
}

extension StreamFrameFacts.VariantFacts {
    init(_ variant: Variant) {
        self.init(
            width: variant.width, height: variant.height, bandwidth: variant.bandwidth, codecs: variant.codecs)
    }
}

extension Duration {
    init(_ time: MediaTime) { self = .milliseconds(time.milliseconds) }
}
