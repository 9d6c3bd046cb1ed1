package import SnapBase

/// Why no frame came out of a video. What it is called in a receipt and its exit code are settled in module Snap.
package enum MediaError: Error {
    /// The work was cancelled, or its time was up.
    case interrupted(Interrupt.Reason)
    /// FFmpeg could not be loaded; with the loader's sentence.
    case librariesMissing(String)
    /// The byte source failed, with its own error.
    case unreadable(any Error)
    /// No bytes at all.
    case empty
    /// No demuxer knows the bytes, or their container is broken; with FFmpeg's sentence where it had one.
    case unrecognized(String?)
    /// A list of other files, not a video: "HLS playlist" and the like.
    case refersToOthers(String)
    /// A container without video; says what it holds instead.
    case noVideo(String)
    /// The stream is encrypted; with the name of the scheme.
    case encrypted(String)
    /// This FFmpeg has no decoder for the codec.
    case missingDecoder(codec: String)
    /// A picture larger than the limit, in pixels.
    case tooLarge(width: Int, height: Int, limit: Int64)
    /// A picture that can't be shown truly; says which.
    case unsupported(String)
    /// The demuxer or decoder failed and nothing could be done about it.
    case failed(FFmpegError)
    /// Nothing in these segments of a stream can be decoded by itself; those before them may help.
    case noKeyFrame
    /// Not one frame of the stream could be decoded.
    case noFrame(String?)
    /// The frame asked for is damaged, and a damaged one was not to be given.
    case damaged(String)
}

extension MediaError {
    init(_ interrupted: Interrupted) { self = .interrupted(interrupted.reason) }
}
