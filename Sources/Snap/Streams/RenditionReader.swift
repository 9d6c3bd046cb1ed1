import SnapBase
import SnapMedia
import SnapPlaylist

/// Moments of one rendition: from what was asked for to a place in its playlist, and what to do when that is gone.
final class RenditionReader {
    let rendition: Rendition
    let variant: Variant?
    private let reloader: PlaylistReloader
    /// How old the newest frame may be; `nil` for any age.
    private let maximumAge: Duration?

    init(_ rendition: Rendition, variant: Variant?, reloader: PlaylistReloader, maximumAge: Duration?) {
        self.rendition = rendition
        self.variant = variant
        self.reloader = reloader
        self.maximumAge = maximumAge
    }

    var playlist: MediaPlaylist { rendition.playlist }
    var errors: ErrorSource { rendition.errors }

    /// What the variant is, for people.
    var title: String {
        guard let variant else { return "the only one" }
        if let width = variant.width, let height = variant.height { return "\(width)x\(height)" }
        return variant.bandwidth.map { "\($0) bit/s" } ?? variant.uri
    }

    // MARK: Times

    /// From the stream's start to the end of its last segment.
    func length() throws -> MediaTime {
        try reloader.awaitSegments()
        try reloader.reload()
        return rendition.origin + playlist.duration
    }

    func place(of position: StreamPosition) throws -> Moment.Target {
        try reloader.awaitSegments()
        // The newest frame is looked for when it is taken.
        if position == .live(.zero) { return .lastFrame }
        try reloader.reload()
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
        try reloader.awaitSegments()
        switch target {
        case .lastFrame: return try newestFrame(wishes)
        case .frame(let number): return footageFrame(try rendition.frame(number: number, wishes))
        case .representative: return footageFrame(try rendition.frame(at: rendition.place(at: .zero), wishes))
        case .time(let time):
            // It may have come since the list was fetched.
            if time >= rendition.origin + playlist.duration { try reloader.reload() }
            try checkWindow(time)
            do {
                let following = try next?.time.map { try rendition.place(at: $0) }
                return footageFrame(try rendition.frame(at: rendition.place(at: time), next: following, wishes))
            } catch  where isMissing(error) && playlist.isLive {
                // It may have left the window since the list was fetched: the same moment of the list of now.
                try reloader.reload(force: true)
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
        try reloader.reload()
        var taken: Rendition.Taken
        do {
            taken = try newestFrame(of: try newestIndex(), wishes)
        } catch  where isMissing(error) && playlist.isLive {
            try reloader.wait(until: .now + min(Duration(playlist.shortestReload), .seconds(1)))
            try reloader.reload()
            let newest = try newestIndex()
            do {
                taken = try newestFrame(of: newest, wishes)
            } catch  where isMissing(error) && newest > 0 {
                taken = try newestFrame(of: newest - 1, wishes)
            }
        }
        if let standstill = reloader.standstill {
            taken.remark = .init(
                code: "stale",
                sentence:
                    "the live stream stands still: its playlist brought nothing new for \(standstill.components.seconds) s"
            )
        }
        let frame = footageFrame(taken)
        if let limit = maximumAge, let age = frame.stream?.age, age > MediaTime(limit) {
            throw SnapError(
                .tooOld, source: errors.name,
                "the newest frame is \(age.decimalSeconds) s old, and \(MediaTime(limit).decimalSeconds) s are allowed")
        }
        return frame
    }

    private func newestIndex() throws -> Int {
        if playlist.segments.isEmpty { throw rendition.emptyList() }
        guard let newest = playlist.newestIndex else {
            throw SnapError(.gap, source: errors.name, "every segment of the playlist is a gap")
        }
        return newest
    }

    /// Whether the server says that there is no such thing, now or any longer.
    private func isMissing(_ error: any Error) -> Bool {
        let error = SnapError(any: error, errors)
        return error.code == .notFound || error.httpStatus == 404 || error.httpStatus == 410
    }

    private func newestFrame(of index: Int, _ wishes: SnapshotOptions) throws -> Rendition.Taken {
        if index == playlist.newestIndex {
            do {
                let parts = playlist.newestParts
                if let taken = try rendition.lastFrame(ofParts: parts, in: index, wishes) { return taken }
            } catch  where isMissing(error) && playlist.segments[index].isComplete {
                // Parts are given up earlier than the segment that they became.
            }
        }
        if !wishes.tolerance.isExact {
            let end = Rendition.Place(index: index, offset: playlist.segments[index].duration)
            if let key = try rendition.keyFrame(at: end) { return key }
        }
        return try rendition.lastFrame(of: index, wishes)
    }

    // MARK: What is in it

    func info() throws -> VideoInfo {
        try reloader.awaitSegments()
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
        try reloader.awaitSegments()
        let place = try rendition.place(at: max(time, rendition.origin))
        if playlist.segments[place.index].isGap { return nil }
        guard let taken = try rendition.keyFrame(at: place) else { return nil }
        return footageFrame(taken)
    }

    func footageFrame(_ taken: consuming Rendition.Taken) -> FootageFrame {
        let segment = playlist.segments[taken.index]
        var facts = StreamFrameFacts(
            variant: variant.map(StreamFrameFacts.VariantFacts.init), segment: segment.sequence,
            isLive: playlist.isLive, restarts: reloader.restarts)
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
