/// Why snap gave no picture: a stable code, and a sentence for people that says what, which, why and what to try.
public struct SnapError: Error, Sendable, Hashable {
    /// What kind of failure it is. The raw value is stable: it is the `code` of receipts.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The options contradict each other or the source. Exit code 64.
        case usage
        /// The source holds no bytes. Exit code 65.
        case empty
        /// The bytes are no container that can be read. Exit code 65.
        case notMedia = "not-media"
        /// There is no video stream. Exit code 65.
        case noVideo = "no-video"
        /// A list that names other files, which are not opened. Exit code 65.
        case notAVideoItself = "playlist"
        /// The video is encrypted. Exit code 65.
        case encrypted
        /// A kind of picture that this version can't convert truly. Exit code 65.
        case unsupported
        /// A picture larger than the limit. Exit code 65.
        case tooLarge = "too-large"
        /// More bytes than the limit. Exit code 65.
        case tooManyBytes = "too-many-bytes"
        /// Nothing could be decoded. Exit code 65.
        case noFrame = "no-frame"
        /// The frame lost data, and no other was to be given. Exit code 65.
        case damaged
        /// The time is past the end, and that was to be an error. Exit code 65.
        case pastTheEnd = "past-the-end"
        /// The stream has a gap at this time. Exit code 65.
        case gap
        /// The time or date is not, or no longer, in the stream. Exit code 65.
        case outsideWindow = "outside-window"
        /// There is no such file. Exit code 66.
        case notFound = "not-found"
        /// A folder where a file is wanted. Exit code 66.
        case isDirectory = "is-a-directory"
        /// The file or pipe can't be read. Exit code 66.
        case notReadable = "not-readable"
        /// The server can't be reached or doesn't answer as it should. Exit code 69.
        case network
        /// An address that a remote source must not reach. Exit code 69.
        case refusedAddress = "refused-address"
        /// This FFmpeg has no decoder for the codec. Exit code 69.
        case missingDecoder = "missing-decoder"
        /// FFmpeg, or for a URL libcurl, could not be loaded. Exit code 69.
        case missingLibrary = "missing-library"
        /// A bug in snap. Exit code 70.
        case `internal`
        /// The process that read the video crashed: a bug in a decoder, or in snap. Exit code 70.
        case crashed
        /// The process that read the video took more memory than it may. Exit code 65.
        case tooMuchMemory = "too-much-memory"
        /// The picture can't be written. Exit code 73.
        case cannotWrite = "cannot-write"
        /// The newest frame of a live stream is older than it may be. Exit code 75.
        case tooOld = "too-old"
        /// The time limit passed. Exit code 75.
        case timedOut = "timed-out"
        /// The work was cancelled. Exit code 130.
        case cancelled
    }

    public let code: Code
    /// What was read or written: a path or URL, without secrets; `nil` where it is about neither.
    public let source: String?
    /// A sentence without the source and without a full stop.
    public let message: String
    /// What the server answered, where the failure is that answer: 404 and the like.
    public internal(set) var httpStatus: Int?

    public init(_ code: Code, source: String? = nil, _ message: String) {
        self.code = code
        self.source = source
        self.message = message
    }

    /// The exit code of the command, after BSD's sysexits.h.
    public var exitCode: Int32 {
        switch code {
        case .usage: 64
        case .empty, .notMedia, .noVideo, .notAVideoItself, .encrypted, .unsupported, .tooLarge, .tooManyBytes,
            .noFrame,
            .damaged, .pastTheEnd, .gap, .outsideWindow, .tooMuchMemory:
            65
        case .notFound, .isDirectory, .notReadable: 66
        case .network, .refusedAddress, .missingDecoder, .missingLibrary: 69
        case .internal, .crashed: 70
        case .cannotWrite: 73
        case .tooOld, .timedOut: 75
        case .cancelled: 130
        }
    }
}

extension SnapError {
    /// The sentence for whoever knows which video it is about: what else was read or written is named before it.
    ///
    /// - Parameter source: The ``Source/name`` of the video.
    package func sentence(about source: String) -> String {
        self.source == source ? message : description
    }
}

extension SnapError: CustomStringConvertible {
    /// `a.mp4: no video stream (audio only: aac)`
    public var description: String { [source, message].compactMap(\.self).joined(separator: ": ") }
}
