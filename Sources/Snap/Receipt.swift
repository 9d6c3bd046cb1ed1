public import SnapBase

/// What was asked for, what was got, and what was done: told with every picture.
public struct Receipt: Sendable, Hashable {
    public enum Status: String, Sendable, Hashable {
        case ok
        /// A picture, but not quite the one asked for; ``Receipt/message`` says why.
        case degraded
        /// Nothing was done: the output is there already, or a live stream has no newer frame.
        case skipped
        case failed
    }

    /// What was read, without secrets.
    public var source: String
    /// The path that was written; `nil` for a picture in memory or on standard output.
    public var output: String?
    public var status = Status.ok
    /// Stable. `ok`, a reason for a degraded picture (`replaced-damaged`, `damaged`, `miscounted`,
    /// `truncated`, `blank`, `hole`, `no-key-frame`, `stale`), `skipped`, `unchanged`,
    /// or a ``SnapError/Code``.
    public var code = "ok"
    /// A sentence for people; `nil` when there is nothing to say.
    public var message: String?

    /// As it was asked for, such as `50%`; empty for the video as a whole.
    public var position: String
    /// The time asked for; `nil` where none was (`auto`, `frame:120`) or it isn't known.
    public var requested: MediaTime?
    /// When the frame comes on screen; `nil` without a frame.
    public var actual: FrameTime?
    /// Whether the frame is a key frame.
    public var isKeyFrame: Bool?
    /// Whether the time was past the end, so that this is the last frame.
    public var isClamped = false

    public var picture: PictureFacts?
    /// Why this frame was chosen, for a representative one.
    public var choice: String?

    /// Which part of a stream the frame is from; `nil` for a single video.
    public var stream: StreamFrameFacts?

    /// What the time index did, for all pictures of this video so far; `nil` where none was to be kept, or can be.
    public var timeIndex: TimeIndexUse?

    /// Whether ``reading``, ``framesDecoded`` and ``milliseconds`` are known, as they are of pictures that were taken.
    public var isMeasured = true
    /// What the byte source did, for all pictures of this video so far.
    public var reading = ByteSourceStatistics()
    /// Frames decoded for this picture.
    public var framesDecoded = 0
    /// Time spent on this picture.
    public var milliseconds = 0

    /// ``actual`` minus ``requested``.
    public var delta: MediaTime? {
        guard let actual, let requested else { return nil }
        return actual.time - requested
    }
}

/// What a picture is, and what was applied to make it.
public struct PictureFacts: Sendable, Hashable {
    /// In pixels.
    public var width: Int
    public var height: Int
    /// `jpg` or `png`; `nil` for pixels.
    public var format: String?
    /// Of the encoded picture; `nil` for pixels.
    public var byteCount: Int?
    /// The clockwise turn applied, in degrees: 0, 90, 180 or 270.
    public var rotation: Int
    /// Whether the picture was mirrored left to right, before it was turned.
    public var isMirrored: Bool
    /// Of the video, as `64:45`.
    public var sampleAspectRatio: String
    /// What is shown of the frame's two fields; `nil` for a progressive frame.
    public var fields: ShownFields?
    /// Whether the picture is not as coded: rows were interpolated, or taken from another frame.
    public var isDeinterlaced: Bool {
        switch fields {
        case .matched, .top, .bottom: true
        case .coded, .whole, nil: false
        }
    }
    /// In the field's names (ITU-T H.273, as FFmpeg spells them): `bt709`, `smpte170m`.
    public var matrix: Colour
    /// `limited` or `full`.
    public var range: Colour
    public var primaries: Colour
    public var transfer: Colour
    /// The profile of Dolby Vision whose own metadata the colours come by; `nil` where they don't, as for a base layer.
    public var dolbyVisionProfile: Int?
    /// What became of HDR; `nil` for SDR.
    public var highDynamicRange: HighDynamicRange?
    /// The light that became white, where HDR was tone-mapped.
    public var peak: PeakLuminance?
    /// What the encoded picture says of when and where the frame was taken; `nil` where that wasn't asked for.
    public var metadata: PictureMetadata?
    /// What a user should know besides. Usually none.
    public var notes: [String]

    /// One part of the colour description.
    public struct Colour: Sendable, Hashable {
        public var name: String
        /// Whether the video says so; false where a rule filled it in.
        public var isTagged: Bool
    }
}
