import SnapBase
import SnapMedia

/// What frames are taken from: one video, or the segments of a stream.
///
/// Used by one thread. Times count from the presentation of the first frame.
protocol Footage: AnyObject {
    /// Says what pictures will be wanted: of several variants, the one for their size is read.
    func prepare(for wishes: SnapshotOptions)

    /// Whether frames may come behind the last there is now.
    func isLive() throws(SnapError) -> Bool

    /// Whether it is known that none will.
    var hasEnded: Bool { get }

    /// From the first frame to the end of the last.
    func length() throws(SnapError) -> MediaTime

    /// The place of a position that only a stream can know: behind its newest frame, or at a time of day.
    func place(of position: StreamPosition) throws(SnapError) -> Moment.Target

    /// Finds the frame of a moment, as exactly as the tolerance wants it.
    ///
    /// - Parameter next: The moment that will be asked for afterwards; `nil` for none.
    func frame(
        at target: Moment.Target, next: Moment.Target?, _ wishes: SnapshotOptions
    ) throws(SnapError) -> FootageFrame

    /// A key frame near a time, small work for a look; `nil` where none can be had.
    func keyFrame(near time: MediaTime) throws(SnapError) -> FootageFrame?

    /// When and where a frame of it was taken.
    func metadata(of frame: borrowing FootageFrame) -> PictureMetadata

    /// What is in it.
    func info() throws(SnapError) -> VideoInfo

    /// Which group of pictures the frame of a moment is in, a number for each; `nil` where that is not known without reading.
    func group(of target: Moment.Target) -> Int?

    /// The size of a frame, as the container says; 0 where it is not known.
    var frameSize: (width: Int, height: Int) { get }

    /// The same bytes, for a reader beside this one; `nil` where there can be none.
    func duplicateBytes() -> (any ByteSource)?

    /// Writes what was learned for later visits.
    ///
    /// - Parameter isLast: Whether nothing more is waited for.
    /// - Returns: What the index did so far; `nil` where none is kept.
    func keepIndex(isLast: Bool) -> TimeIndexUse?

    /// Frames decoded so far, and what was read.
    var decoding: DecodingStatistics { get }
    var reading: ByteSourceStatistics { get }
}

/// As of what is all there.
extension Footage {
    func prepare(for wishes: SnapshotOptions) {}
    func isLive() -> Bool { false }
    var hasEnded: Bool { true }
    func keepIndex(isLast: Bool) -> TimeIndexUse? { nil }
    func group(of target: Moment.Target) -> Int? { nil }
    var frameSize: (width: Int, height: Int) { (0, 0) }
    func duplicateBytes() -> (any ByteSource)? { nil }
}

/// A frame of a moment, with its place.
struct FootageFrame: ~Copyable {
    let found: FoundFrame
    var time: FrameTime
    /// What its stream says of it.
    let facts: StreamFacts
    /// For a stream, which part of it the frame is from.
    var stream: StreamFrameFacts?
    /// What must be said about the frame besides what ``found`` does.
    var remark: Remark?

    /// Why a picture is not quite the one asked for.
    struct Remark: Sendable, Hashable {
        /// Stable; see ``Receipt/code``.
        let code: String
        let sentence: String
    }
}
