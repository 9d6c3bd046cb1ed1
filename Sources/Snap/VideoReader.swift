import SnapBase
package import SnapMedia

/// One open video, and the way from a position to a picture: find the frame, convert it, tell what was done.
///
/// Synchronous and used by one thread; ``Video`` is the door for everybody else.
package final class VideoReader {
    /// What errors and receipts call the video.
    let name: String
    let options: VideoOptions
    let interrupt: Interrupt
    let seeker: FrameSeeker
    private var converter = PictureConverter()
    let facts: StreamFacts
    /// What opening took; it counts as part of the first picture.
    private var openingTime: Duration

    /// Opens a video.
    ///
    /// - Parameters:
    ///   - source: Where it comes from.
    ///   - options: How it is read, and the limits.
    ///   - interrupt: Its deadline is set here, for opening and for each picture.
    package init(_ source: Source, options: VideoOptions, interrupt: Interrupt) throws(SnapError) {
        name = source.name
        self.options = options
        self.interrupt = interrupt
        let start = ContinuousClock.now
        interrupt.setDeadline(options.timeout.map { start + $0 })
        let bytes = try source.open(options, interrupt: interrupt)
        var decoding = DecodingOptions()
        decoding.pixelLimit = options.pixelLimit
        decoding.threads = options.threads.map { min(max($0, 1), 64) } ?? DecodingOptions.defaultThreads
        do throws(MediaError) {
            seeker = try FrameSeeker(bytes, options: decoding, interrupt: interrupt)
        } catch {
            throw SnapError(error, source: source.name, timeout: options.timeout)
        }
        do throws(MediaError) {
            facts = try seeker.streamFacts()
        } catch {
            throw SnapError(error, source: source.name, timeout: options.timeout)
        }
        openingTime = ContinuousClock.now - start
    }

    // MARK: Times

    /// Begins the time that may be taken for what is asked next; each door to the video does.
    func startTiming() { interrupt.setDeadline(options.timeout.map { .now + $0 - openingTime }) }

    /// Says where a position lies in this video.
    package func moment(_ position: Position) throws(SnapError) -> Moment {
        startTiming()
        return switch position {
        case .time(let time): moment(position, at: time)
        case .fraction(let part, let whole): moment(position, at: try self.part(part, of: whole))
        case .start: Moment(position: position, target: .tick(seeker.origin), time: .zero)
        case .end: Moment(position: position, target: .lastFrame, time: nil)
        case .beforeEnd(let time): moment(position, at: max(try measuredLength() - time, .zero))
        case .frame(let number): Moment(position: position, target: .frame(max(number, 0)), time: nil)
        case .representative: Moment(position: position, target: .representative, time: nil)
        }
    }

    private func part(_ part: Int64, of whole: Int64) throws(SnapError) -> MediaTime {
        guard whole != 0 else { throw SnapError(.usage, source: name, "a part of 0 parts is no time") }
        return try measuredLength().scaled(by: part, over: whole)
    }

    private func moment(_ position: Position, at time: MediaTime) -> Moment {
        let ticks = seeker.timeBase.ticks(notAfter: time)
        let tick = Ticks.clamped(seeker.origin + Ticks.clamped(ticks))
        return Moment(position: position, target: .tick(tick), time: time)
    }

    /// The length of the video stream, from its first frame to the end of its last.
    package func length() throws(SnapError) -> MediaTime {
        startTiming()
        return try measuredLength()
    }

    private func measuredLength() throws(SnapError) -> MediaTime {
        try converting { () throws(MediaError) in
            MediaTime(ticks: try seeker.end() - seeker.origin, timeBase: seeker.timeBase)
        }
    }

    func time(of pts: Int64) -> FrameTime {
        FrameTime(
            time: MediaTime(ticks: pts - seeker.origin, timeBase: seeker.timeBase), pts: pts, timeBase: seeker.timeBase)
    }

    // MARK: Pictures

    /// Takes the picture of a moment.
    ///
    /// - Parameter next: The moment that will be asked for afterwards; `nil` for none.
    package func snapshot(
        at moment: Moment, next: Moment? = nil, options wishes: SnapshotOptions
    ) throws(SnapError) -> Snapshot {
        let start = ContinuousClock.now
        startTiming()
        defer { openingTime = .zero }
        let decodedBefore = seeker.statistics.framesDecoded
        let choice = moment.target == .representative ? try representativeChoice(wishes) : nil
        let found = try find(choice.map { .tick($0.chosen.time.pts) } ?? moment.target, next: next, wishes)
        let (picture, report) = try picture(of: found.frame, wishes)

        var receipt = Receipt(source: name, position: moment.position.description)
        receipt.requested = moment.time
        receipt.actual = time(of: found.frame.presentation)
        receipt.isKeyFrame = found.frame.isKey
        receipt.isClamped = found.isClamped
        receipt.describe(found.degradation)
        receipt.picture = PictureFacts(report)
        receipt.choice = choice?.sentence
        if let choice, choice.isPoor {
            receipt.degrade("blank", "every candidate is black, blank or blurred; this one is the least so")
        }
        if found.isClamped, wishes.isStrict {
            throw SnapError(
                .pastTheEnd, source: name,
                "\(moment.position) is past the end of the video (its last frame is at \(receipt.actual?.time ?? .zero))"
            )
        }
        receipt.reading = seeker.sourceStatistics
        receipt.framesDecoded = seeker.statistics.framesDecoded - decodedBefore
        receipt.milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        return Snapshot(picture: picture, receipt: receipt, background: wishes.background)
    }

    private func find(
        _ target: Moment.Target, next: Moment?, _ wishes: SnapshotOptions
    ) throws(SnapError) -> FoundFrame {
        try converting { () throws(MediaError) in
            switch target {
            // Without a key frame to choose, the first frame represents the video.
            case .representative: return try seeker.frame(shownAt: seeker.origin, onDamage: wishes.onDamage)
            case .lastFrame: return try seeker.lastFrame(onDamage: wishes.onDamage)
            case .frame(let number): return try seeker.frame(number: number, onDamage: wishes.onDamage)
            case .tick(let tick):
                if let key = try keyFrame(near: tick, wishes.tolerance) { return key }
                return try seeker.frame(shownAt: tick, next: next?.tick, onDamage: wishes.onDamage)
            }
        }
    }

    private func keyFrame(near tick: Int64, _ tolerance: Tolerance) throws(MediaError) -> FoundFrame? {
        if tolerance.isExact { return nil }
        let (base, before) = (seeker.timeBase, tolerance.before)
        let earliest = before.map { tick - Ticks.clamped(base.ticks(notAfter: $0)) }
        let latest = tick + Ticks.clamped(base.ticks(notAfter: tolerance.after))
        return try seeker.keyFrame(near: tick, earliest: earliest, latest: latest)
    }

    func picture(
        of frame: borrowing VideoFrame, _ wishes: SnapshotOptions
    ) throws(SnapError) -> (Picture, PictureReport) {
        do throws(PictureError) {
            return try converter.picture(from: frame, facts: facts, options: PictureOptions(wishes))
        } catch {
            throw SnapError(error, source: name)
        }
    }

    /// Adds what only the reader knows to an error of the media layer.
    func converting<T: ~Copyable>(_ body: () throws(MediaError) -> T) throws(SnapError) -> T {
        do throws(MediaError) { return try body() } catch {
            throw SnapError(error, source: name, timeout: options.timeout)
        }
    }
}

extension VideoReader {
    /// What was decoded so far, for tests that assert the work done.
    package var statistics: DecodingStatistics { seeker.statistics }
}
