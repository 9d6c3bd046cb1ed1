import SnapBase
import SnapMedia

/// The frames of one container: a file, a pipe, or bytes behind one URL.
final class FileFootage: Footage {
    let seeker: FrameSeeker
    let facts: StreamFacts
    let errors: ErrorSource
    /// `nil` where none is kept.
    private let index: VisitIndex?
    /// `nil` where the bytes are not those of a file.
    private let file: FileByteSource?

    /// - Parameter store: Where the time index of the bytes is kept; `nil` for no index.
    init(
        _ bytes: any ByteSource, store: TimeIndexStore?, decoding: DecodingOptions, interrupt: Interrupt,
        errors: ErrorSource
    ) throws(SnapError) {
        self.errors = errors
        file = bytes as? FileByteSource
        let index = store.map { VisitIndex($0) }
        self.index = index
        (seeker, facts) = try errors.converting { () throws(MediaError) in
            let seeker = try FrameSeeker(
                bytes, options: decoding, indexer: index?.indexer, interrupt: interrupt)
            return (seeker, try seeker.streamFacts())
        }
    }

    func length() throws(SnapError) -> MediaTime {
        if let timeline = seeker.timeline { return timeline.length }
        return try errors.converting { () throws(MediaError) in
            MediaTime(ticks: try seeker.end() - seeker.origin, timeBase: seeker.timeBase)
        }
    }

    func place(of position: StreamPosition) throws(SnapError) -> Moment.Target {
        throw SnapError(.usage, source: errors.name, position.onlyInStreams)
    }

    func frame(
        at target: Moment.Target, next: Moment.Target?, _ wishes: SnapshotOptions
    ) throws(SnapError) -> FootageFrame {
        if let timeline = seeker.timeline { return try frame(at: target, next: next, wishes, on: timeline) }
        let found = try errors.converting { () throws(MediaError) in try find(target, next, wishes) }
        let time = time(of: found.frame.presentation)
        return FootageFrame(found: found, time: time, facts: facts)
    }

    private func find(
        _ target: Moment.Target, _ next: Moment.Target?, _ wishes: SnapshotOptions
    ) throws(MediaError) -> FoundFrame {
        var wanted: Int64?
        if case .time(let time) = target { wanted = tick(at: time) }
        return try find(near: wanted, wishes) { () throws(MediaError) in try findExactly(target, next, wishes) }
    }

    /// - Parameters:
    ///   - tick: Near which a key frame serves as well, in ticks of the stream; `nil` where none does.
    ///   - range: What of the stream is shown; `nil` for all.
    ///   - exactly: Finds the frame where no key frame is in reach.
    func find(
        near tick: Int64?, in range: ClosedRange<Int64>? = nil, _ wishes: SnapshotOptions,
        exactly: () throws(MediaError) -> FoundFrame
    ) throws(MediaError) -> FoundFrame {
        // A key frame in reach is the cheapest picture: no other frame is decoded for its fields.
        if let tick, let key = try seeker.keyFrame(near: tick, within: wishes.tolerance, in: range) { return key }
        seeker.expectFields(for: wishes.deinterlacing)
        return try seeker.withNeighbours(try exactly(), for: wishes.deinterlacing)
    }

    private func findExactly(
        _ target: Moment.Target, _ next: Moment.Target?, _ wishes: SnapshotOptions
    ) throws(MediaError) -> FoundFrame {
        switch target {
        // Without a key frame to choose, the first frame represents the video.
        case .representative: return try seeker.frame(shownAt: seeker.origin, onDamage: wishes.onDamage)
        case .lastFrame: return try seeker.lastFrame(onDamage: wishes.onDamage)
        case .frame(let number): return try seeker.frame(number: number, onDamage: wishes.onDamage)
        case .time(let time):
            return try seeker.frame(
                shownAt: tick(at: time), next: next?.time.map { self.tick(at: $0) }, onDamage: wishes.onDamage)
        }
    }

    func keyFrame(near time: MediaTime) throws(SnapError) -> FootageFrame? {
        if let timeline = seeker.timeline { return try keyFrame(near: time, on: timeline) }
        let found = try errors.converting { () throws(MediaError) in
            try seeker.keyFrame(near: tick(at: time), earliest: nil, latest: nil)
        }
        guard let found else { return nil }
        let time = self.time(of: found.frame.presentation)
        return FootageFrame(found: found, time: time, facts: facts)
    }

    /// A container dates its first frame.
    func metadata(of frame: borrowing FootageFrame) -> PictureMetadata {
        let recording = seeker.recording()
        let time = frame.time.time
        return PictureMetadata(date: recording.start.map { $0 + time }, location: recording.location)
    }

    func info() throws(SnapError) -> VideoInfo {
        try VideoInfo(
            surveying: seeker, facts: facts, length: try length(), start: time(of: seeker.origin), errors: errors)
    }

    func group(of target: Moment.Target) -> Int? {
        guard case .time(let time) = target, seeker.timeline == nil else { return nil }
        return seeker.listedGroup(at: tick(at: time))
    }

    var frameSize: (width: Int, height: Int) { seeker.frameSize }

    /// With an index, one reader learns it all.
    func duplicateBytes() -> (any ByteSource)? { index == nil ? try? file?.duplicate() : nil }

    private func tick(at time: MediaTime) -> Int64 {
        Ticks.clamped(seeker.origin + Ticks.clamped(seeker.timeBase.ticks(notAfter: time)))
    }

    /// The first frame may have begun before what is shown.
    func time(of pts: Int64) -> FrameTime {
        let ticks = max(pts - seeker.origin, 0)
        return FrameTime(
            time: MediaTime(ticks: ticks, timeBase: seeker.timeBase), pts: pts, timeBase: seeker.timeBase)
    }

    var decoding: DecodingStatistics { seeker.statistics }
    var reading: ByteSourceStatistics {
        var reading = seeker.sourceStatistics
        if let note = index?.note { reading.notes.append(note) }
        return reading
    }

    func keepIndex(isLast: Bool) -> TimeIndexUse? { index?.keep(of: seeker, isLast: isLast) }
}
