import SnapBase
import SnapMedia
import SnapNetwork
import SnapPlaylist

/// The frames of an HLS stream: which variant, which playlist, which segment.
final class StreamFootage: Footage {
    let errors: ErrorSource
    let options: VideoOptions
    let interrupt: Interrupt
    let loader: PlaylistLoader
    private let decodingOptions: DecodingOptions
    private let limits = StreamLimits()

    /// What the address that was typed leads to.
    enum Top {
        case variants(MultivariantPlaylist, StreamAddress)
        case media(MediaPlaylist, StreamAddress, loadedAt: ContinuousClock.Instant)
    }

    let top: Top
    /// The media playlists that were loaded, or why they could not be, by variant.
    private var renditions: [Candidate: Result<RenditionReader, SnapError>] = [:]
    /// The size that pictures will have, which the choice of a variant is about.
    private var wish = PictureSize.original
    /// What a user should know of the choice of variants.
    private var notes: [String] = []

    /// What can be tried for a frame: a variant of the stream, or its only playlist.
    struct Candidate: Hashable {
        /// `nil` for a stream without variants.
        let variant: Variant?
    }

    init(
        _ top: Top, fetcher: StreamFetcher, options: VideoOptions, decoding: DecodingOptions, interrupt: Interrupt,
        errors: ErrorSource
    ) {
        self.top = top
        self.options = options
        self.interrupt = interrupt
        self.errors = errors
        decodingOptions = decoding
        loader = PlaylistLoader(fetcher: fetcher)
    }

    var decoding: DecodingStatistics {
        renditions.values.compactMap { try? $0.get() }
            .reduce(into: DecodingStatistics()) { $0.add($1.rendition.decoding) }
    }

    var reading: ByteSourceStatistics {
        var statistics = loader.fetcher.statistics
        statistics.notes += notes
        return statistics
    }

    func prepare(for wishes: SnapshotOptions) { wish = wishes.size }

    // MARK: Variants

    /// What to try, the best first.
    private func candidates() throws(SnapError) -> [Candidate] {
        guard case .variants(let list, _) = top else { return [Candidate(variant: nil)] }
        let ranked = list.ranked(for: VariantWish(options.variant, for: wish), canDecode: Libraries.canDecode)
        guard !ranked.variants.isEmpty else {
            let reasons = ranked.reasons.isEmpty ? ["there are only \(Self.titles(of: list))"] : ranked.reasons
            throw SnapError(
                .noVideo, source: errors.name,
                "no variant of the stream can be taken (\(reasons.joined(separator: "; ")))")
        }
        return ranked.variants.map { Candidate(variant: $0) }
    }

    /// As `0: 640x360 with 1500000 bits/s, 1: …`.
    private static func titles(of list: MultivariantPlaylist) -> String {
        let most = 12
        let titles = list.variants.prefix(most).enumerated().map { index, variant in
            let size = variant.width.flatMap { width in variant.height.map { "\(width)x\($0)" } }
            let rate = variant.bandwidth.map { "\($0) bits/s" }
            return "\(index): \([size, rate].compactMap(\.self).joined(separator: " with "))"
        }
        return titles.joined(separator: ", ") + (list.variants.count > most ? ", …" : "")
    }

    /// Does something with the best variant that can do it.
    ///
    /// A variant that fails gives way to the next one: never to another frame of its own.
    func withRendition<T: ~Copyable>(_ work: (RenditionReader) throws -> T) throws -> T {
        var first: SnapError?
        let candidates = try candidates()
        defer { loader.fetcher.hasAlternative = false }
        for (index, candidate) in candidates.enumerated() {
            loader.fetcher.hasAlternative = index + 1 < candidates.count
            do {
                let rendition = try self.rendition(candidate)
                let result = try work(rendition)
                if let first { note("another variant failed (\(first.message)): this is \(rendition.title)") }
                return result
            } catch {
                let error = SnapError(any: error, errors)
                guard mayBeHadElsewhere(error) else { throw error }
                first = first ?? error
            }
        }
        throw first ?? SnapError(.noVideo, source: errors.name, "no variant that can be shown")
    }

    /// Whether another variant or frame may do better: also where a server hangs, as long as there is time.
    func mayBeHadElsewhere(_ error: SnapError) -> Bool {
        error.isOfVariant || error.code == .timedOut && interrupt.reason == nil
    }

    /// What lists of key frames are chosen by: no place or rate that was named for the others.
    var wishOfKeyFrames: VariantWish {
        switch options.variant {
        case .smallest, .largest: VariantWish(options.variant, for: wish)
        default: VariantWish(.automatic, for: wish)
        }
    }

    func rendition(_ candidate: Candidate) throws -> RenditionReader {
        if let known = renditions[candidate] { return try known.get() }
        do {
            let rendition = try load(candidate)
            renditions[candidate] = .success(rendition)
            return rendition
        } catch {
            let error = SnapError(any: error, errors)
            // A server that is overloaded now may serve the next picture; a list that is not there won't be.
            let isPassing = error.code == .network && error.httpStatus.map { $0 >= 500 } ?? true
            if error.isOfVariant, !isPassing { renditions[candidate] = .failure(error) }
            throw error
        }
    }

    private func load(_ candidate: Candidate) throws -> RenditionReader {
        let (media, address): (MediaPlaylist, StreamAddress)
        let reference: StreamAddress
        let loadedAt: ContinuousClock.Instant
        switch top {
        case .media(let playlist, let place, let moment):
            (media, address, reference, loadedAt) = (playlist, place, place, moment)
        case .variants(let list, let base):
            guard let variant = candidate.variant else { throw SnapError(.internal, "a variant is missing") }
            reference = try loader.fetcher.address(of: list.videoURI(of: variant), in: base)
            let loaded = try loader.load(reference, imports: list.definitions)
            guard case .media(let playlist) = loaded.playlist else {
                throw SnapError(.notMedia, source: loaded.address.name, "a variant's playlist names variants again")
            }
            (media, address, loadedAt) = (playlist, loaded.address, loaded.moment)
        }
        let store = SegmentStore(
            fetcher: loader.fetcher, base: address, variant: candidate.variant, limits: limits)
        let rendition = Rendition(
            media, store: store, usesMediaTimeline: options.timeline == .media, decoding: decodingOptions,
            limits: limits, interrupt: interrupt, errors: errors)
        let reloader = PlaylistReloader(
            rendition, address: reference, loadedAt: loadedAt, definitions: definitions, loader: loader,
            interrupt: interrupt)
        return RenditionReader(
            rendition, variant: candidate.variant, reloader: reloader, maximumAge: options.maximumAge)
    }

    private var definitions: [String: String] {
        if case .variants(let list, _) = top { list.definitions } else { [:] }
    }

    private func note(_ text: String) {
        // They may differ in a name each time, for as long as a live stream goes on.
        if !notes.contains(text), notes.count < limits.notes { notes.append(text) }
    }

    // MARK: Footage

    func isLive() throws(SnapError) -> Bool {
        // A recording that lacks its end tag never gets one.
        try errors.reading { try withRendition { $0.playlist.isLive && $0.playlist.kind != .vod } }
    }

    var hasEnded: Bool {
        renditions.values.contains { rendition in (try? rendition.get()).map { !$0.playlist.isLive } ?? false }
    }

    func length() throws(SnapError) -> MediaTime {
        try errors.reading { try withRendition { try $0.length() } }
    }

    func place(of position: StreamPosition) throws(SnapError) -> Moment.Target {
        try errors.reading {
            try withRendition { rendition in
                let target = try rendition.place(of: position)
                if case .date = position, let time = target.time, !rendition.namesZone(at: time) {
                    note("the stream's dates name no time zone: they are taken for UTC")
                }
                return target
            }
        }
    }

    func frame(
        at target: Moment.Target, next: Moment.Target?, _ wishes: SnapshotOptions
    ) throws(SnapError) -> FootageFrame {
        prepare(for: wishes)
        if let time = target.time, let key = try listedKeyFrame(near: time, wishes.tolerance) { return key }
        return try errors.reading { try withRendition { try $0.frame(at: target, next: next, wishes) } }
    }

    /// The playlist's dates are the wall clock; of its segments, each has a header of its own.
    func metadata(of frame: borrowing FootageFrame) -> PictureMetadata {
        PictureMetadata(date: frame.stream?.programDate)
    }

    func keyFrame(near time: MediaTime) throws(SnapError) -> FootageFrame? {
        if let key = try listedKeyFrame(near: time, .any) { return key }
        do throws(SnapError) {
            return try errors.reading { try withRendition { try $0.keyFrame(near: time) } }
        } catch {
            // One candidate of several; others may be had.
            guard mayBeHadElsewhere(error) else { throw error }
            return nil
        }
    }
}

extension RenditionReader {
    /// Whether the date of the segment at a time says which zone it is of.
    fileprivate func namesZone(at time: MediaTime) -> Bool {
        playlist.segmentIndex(at: time - rendition.origin).flatMap(playlist.date(ofSegment:))?.hasZone ?? true
    }
}

extension SnapError {
    /// Any error of the layers below. What it is about becomes part of the sentence where that is a part of the stream.
    init(any error: any Error, _ source: ErrorSource) {
        switch error {
        case let error as SnapError:
            guard let part = error.source, part != source.name, !part.hasSuffix("/" + source.name) else {
                self.init(error.code, source: source.name, error.message)
                httpStatus = error.httpStatus
                return
            }
            self.init(error.code, source: source.name, "\(part): \(error.message)")
            httpStatus = error.httpStatus
        case let error as MediaError: self.init(error, of: source)
        default: self.init(reading: error, of: source)
        }
    }

    /// Whether another variant of the same stream may do better.
    var isOfVariant: Bool {
        switch code {
        case .cancelled, .timedOut, .usage, .internal, .refusedAddress, .outsideWindow, .tooOld: false
        default: true
        }
    }
}
