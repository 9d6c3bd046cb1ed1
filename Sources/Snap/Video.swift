/// A video, opened once, that gives one picture or many.
///
/// ```swift
/// let video = try await Video("clip.mp4")
/// let snapshot = try await video.snapshot(at: .milliseconds(1500))
/// try await snapshot.write(to: "thumb.jpg")
/// ```
///
/// All that blocks runs on a thread of its own, so that a video may be used from a server's event loop. Requests to
/// one video are answered one after the other; open several for more at a time. Cancelling the task stops its work;
/// the video can be used further.
public final class Video: Sendable {
    /// What errors and receipts call it.
    public let name: String

    let options: VideoOptions
    private let queue: BlockingQueue
    private let cancellation: Cancellation
    private let reader: Confined<VideoReader>

    /// Opens a video.
    ///
    /// - Parameters:
    ///   - source: Where it comes from.
    ///   - options: How it is read, and the limits.
    /// - Throws: ``SnapError``.
    public convenience init(_ source: Source, options: VideoOptions = VideoOptions()) async throws(SnapError) {
        try await self.init(source, options: options, turn: nil)
    }

    /// - Parameter turn: Where processes share cores: given back while bytes are waited for. It is not taken back when
    ///   the work is done.
    package init(_ source: Source, options: VideoOptions, turn: (any CoreTurn)?) async throws(SnapError) {
        let queue = BlockingQueue()
        let cancellation = Cancellation(turn: turn)
        reader = try await cancellation.run(on: queue, source: source.name) { () throws(SnapError) in
            Confined(try VideoReader(source, options: options, interrupt: cancellation.interrupt))
        }
        self.options = options
        self.queue = queue
        self.cancellation = cancellation
        name = source.name
    }

    /// Opens what was typed: a path, a URL, or `-` for standard input.
    ///
    /// - Throws: ``SnapError``.
    public convenience init(_ argument: String, options: VideoOptions = VideoOptions()) async throws(SnapError) {
        try await self.init(Source(argument), options: options)
    }

    /// Takes the picture of a position.
    ///
    /// - Parameters:
    ///   - position: See ``Position``.
    ///   - options: Which frame is taken, and how it becomes a picture.
    /// - Throws: ``SnapError``: never a picture of another moment than the receipt says.
    /// - Complexity: An exact frame decodes from the key frame before it: up to one group of pictures.
    public func snapshot(
        at position: Position, options: SnapshotOptions = SnapshotOptions()
    ) async throws(SnapError) -> Snapshot {
        try await run { reader throws(SnapError) in
            try reader.snapshot(at: try reader.moment(position, for: options), options: options)
        }
    }

    /// Takes the pictures of many positions, each a success or its own error.
    ///
    /// The frames are found in the order of their times, each group of pictures decoded once, and delivered in the
    /// order in which they were asked for. A picture is taken when the sequence is asked for it, but for those that cores
    /// with nothing else to do take ahead: of some groups of pictures, and about 256 MB at most. Those that must wait for their
    /// turn wait in memory, so ask in ascending order or ``SnapshotOrder/byTime`` for many large ones.
    public func snapshots(
        at positions: [Position], options: SnapshotOptions = SnapshotOptions(), order: SnapshotOrder = .asAsked
    ) -> Snapshots {
        snapshots(of: positions.map { SnapshotRequest(at: $0, options: options) }, order: order)
    }

    /// Takes many pictures that need not be alike, such as two sizes of each: each a success or its own error.
    ///
    /// A frame that several of them show is decoded once. For the rest, see ``snapshots(at:options:order:)``.
    public func snapshots(of requests: [SnapshotRequest], order: SnapshotOrder = .asAsked) -> Snapshots {
        Snapshots(video: self, requests: requests, order: order)
    }

    /// Takes the newest picture of a live stream, again and again.
    ///
    /// - Parameters:
    ///   - distance: From one look at the stream to the next. More than 0; below half of the stream's target duration,
    ///     the playlist is not asked for more often than that.
    ///   - count: How many results there will be at most. Default: `nil`, until the stream ends or the task is cancelled.
    ///   - options: Which frame is taken, and how it becomes a picture.
    public func liveSnapshots(
        every distance: Duration, count: Int? = nil, options: SnapshotOptions = SnapshotOptions()
    ) -> LiveSnapshots {
        LiveSnapshots(video: self, distance: max(distance, .milliseconds(1)), count: count, options: options)
    }

    /// Whether frames may come behind the last there is now: a stream that has not ended.
    ///
    /// - Parameter options: What will be made of them: the variant of a stream depends on the size of the pictures.
    /// - Throws: ``SnapError`` when no playlist of the stream can be had.
    public func isLive(options: SnapshotOptions = SnapshotOptions()) async throws(SnapError) -> Bool {
        try await run { reader throws(SnapError) in try reader.isLive(for: options) }
    }

    /// The positions of a series' pictures; those of distinct ones are chosen by looking at many.
    ///
    /// - Parameters:
    ///   - series: Which pictures.
    ///   - options: What will be made of them: the variant of a stream depends on the size of the pictures.
    /// - Throws: ``SnapError`` when the length of the video can't be found, or the series can't be what was asked for.
    public func positions(
        _ series: Series, options: SnapshotOptions = SnapshotOptions()
    ) async throws(SnapError) -> [Position] {
        try await run { reader throws(SnapError) in try reader.positions(series, for: options) }
    }

    /// Says where positions lie in the video, each or its own error, as far as that takes no decoding: enough to name
    /// the files of pictures that may not have to be taken.
    package func moments(
        of positions: [Position], options: SnapshotOptions
    ) async throws(SnapError) -> [Result<Moment, SnapError>] {
        try await run { reader throws(SnapError) in
            positions.map { position in Result { () throws(SnapError) in try reader.moment(position, for: options) } }
        }
    }

    /// What the server calls the present state of the video; see ``ByteSourceStatistics/version``.
    package func version() async throws(SnapError) -> String? {
        try await run { reader throws(SnapError) in reader.footage.reading.version }
    }

    /// Does something with the reader, on its thread.
    func run<T: Sendable>(
        _ work: @escaping @Sendable (VideoReader) throws(SnapError) -> T
    ) async throws(SnapError) -> T {
        let reader = reader
        return try await cancellation.run(on: queue, source: name) { () throws(SnapError) in try work(reader.value) }
    }
}

/// The order in which many pictures are delivered.
public enum SnapshotOrder: Sendable, Hashable {
    /// As they were asked for.
    case asAsked
    /// As they are found; none waits for one that is asked for earlier and found later.
    case byTime
}

/// Something that one thread made and another one takes over.
struct Handed<Value>: @unchecked Sendable {
    // Sound because the first thread keeps nothing of it.
    let value: Value
    init(_ value: Value) { self.value = value }
}

/// Something that one queue alone touches.
struct Confined<Value>: @unchecked Sendable {
    // Sound because the value is only reached from jobs of the serial queue that made it, and freed after the last.
    let value: Value
    init(_ value: Value) { self.value = value }
}
