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
    let footage: any Footage
    private var converter = PictureConverter()
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
        footage = try source.open(options, interrupt: interrupt)
        openingTime = ContinuousClock.now - start - interrupt.timeWaited
    }

    // MARK: Times

    /// Begins the time that may be taken for what is asked next; each door to the video does.
    func startTiming() { interrupt.setDeadline(options.timeout.map { .now + $0 - openingTime }) }

    /// Counts opening to the picture that was just taken, and to none after it.
    func endOpening() { openingTime = .zero }

    /// Says where a position lies in this video.
    ///
    /// - Parameter wishes: What will be made of it: the variant of a stream depends on the size of the picture.
    package func moment(
        _ position: Position, for wishes: SnapshotOptions = SnapshotOptions()
    ) throws(SnapError) -> Moment {
        startTiming()
        footage.prepare(for: wishes)
        return switch position {
        case .time(let time): moment(position, at: time)
        case .fraction(let part, let whole): moment(position, at: try self.part(part, of: whole))
        case .start: moment(position, at: .zero)
        case .end: Moment(position: position, target: .lastFrame, time: nil)
        case .beforeEnd(let time): moment(position, at: max(try footage.length() - time, .zero))
        case .frame(let number): Moment(position: position, target: .frame(max(number, 0)), time: nil)
        case .representative: Moment(position: position, target: .representative, time: nil)
        case .live(let behind): try moment(position, in: .live(behind))
        case .date(let date): try moment(position, in: .date(date))
        }
    }

    private func part(_ part: Int64, of whole: Int64) throws(SnapError) -> MediaTime {
        guard whole != 0 else { throw SnapError(.usage, source: name, "a part of 0 parts is no time") }
        return try footage.length().scaled(by: part, over: whole)
    }

    private func moment(_ position: Position, at time: MediaTime) -> Moment {
        Moment(position: position, target: .time(time), time: time)
    }

    private func moment(_ position: Position, in stream: StreamPosition) throws(SnapError) -> Moment {
        let target = try footage.place(of: stream)
        return Moment(position: position, target: target, time: target.time)
    }

    /// The length of the video stream, from its first frame to the end of its last.
    package func length(for wishes: SnapshotOptions = SnapshotOptions()) throws(SnapError) -> MediaTime {
        startTiming()
        footage.prepare(for: wishes)
        return try footage.length()
    }

    /// Which group of pictures each of some moments is in; `nil` for a moment of which that is not known without reading.
    func groups(of moments: [Moment?]) -> [Int?] {
        moments.map { moment in moment.flatMap { footage.group(of: $0.target) } }
    }

    /// The same video, for a reader beside this one; `nil` where there can be none.
    func duplicateSource() -> Source? {
        guard let bytes = footage.duplicateBytes() else { return nil }
        let handed = Handed(bytes)
        return .custom(name: name) { _ in handed.value }
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
        defer { endOpening() }
        let decodedBefore = footage.decoding.framesDecoded
        let choice = moment.target == .representative ? try representativeChoice(wishes) : nil
        let target = choice.map { .time($0.chosen.time.time) } ?? moment.target
        let taken = try footage.frame(at: target, next: next?.target, wishes)
        return try snapshot(
            of: taken, at: moment, wishes, choice: choice, isLast: next == nil, since: start,
            decodedBefore: decodedBefore)
    }

    /// Makes the picture of a frame that was found, and tells of it.
    func snapshot(
        of taken: borrowing FootageFrame, at moment: Moment, _ wishes: SnapshotOptions,
        choice: RepresentativeChoice? = nil, isLast: Bool = true, since start: ContinuousClock.Instant,
        decodedBefore: Int
    ) throws(SnapError) -> Snapshot {
        let (picture, report) = try picture(of: taken, wishes)
        var receipt = Receipt(source: name, position: moment.position.description)
        receipt.requested = moment.time
        receipt.actual = taken.time
        receipt.isKeyFrame = taken.found.frame.isKey
        receipt.isClamped = taken.found.isClamped
        receipt.describe(taken.found.degradation)
        if let remark = taken.remark { receipt.degrade(remark.code, remark.sentence) }
        receipt.picture = PictureFacts(report)
        if wishes.writesMetadata {
            let metadata = footage.metadata(of: taken)
            receipt.picture?.metadata = metadata
            if metadata == PictureMetadata() {
                receipt.picture?.notes.append("the video does not say when or where it was taken")
            }
        }
        receipt.stream = taken.stream
        receipt.choice = choice?.sentence
        if let choice, choice.isPoor {
            receipt.degrade("blank", "every candidate is black, blank or blurred; this one is the least so")
        }
        if receipt.isClamped, wishes.isStrict {
            throw SnapError(
                .pastTheEnd, source: name,
                "\(moment.position) is past the end of the video (its last frame is at \(receipt.actual?.time ?? .zero))"
            )
        }
        receipt.timeIndex = footage.keepIndex(isLast: isLast)
        receipt.reading = footage.reading
        receipt.framesDecoded = footage.decoding.framesDecoded - decodedBefore
        receipt.milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        return Snapshot(picture: picture, receipt: receipt, background: wishes.background)
    }

    func picture(
        of taken: borrowing FootageFrame, _ wishes: SnapshotOptions
    ) throws(SnapError) -> (Picture, PictureReport) {
        do throws(PictureError) {
            return try converter.picture(
                from: taken.found.frame, neighbours: taken.found.neighbours, facts: taken.facts,
                options: PictureOptions(wishes))
        } catch {
            throw SnapError(error, source: name)
        }
    }

    /// What is in the video, and what is done about it.
    package func info() throws(SnapError) -> VideoInfo {
        startTiming()
        defer { _ = footage.keepIndex(isLast: true) }
        return try footage.info()
    }
}

extension VideoReader {
    /// What was decoded so far, for tests that assert the work done.
    package var statistics: DecodingStatistics { footage.decoding }
}
