import SnapBase
import SnapMedia
import SnapNetwork

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Where errors of the layers below become those of the library, with the source added.
extension SnapError {
    init(_ error: MediaError, of video: ErrorSource) {
        let source = video.name
        switch error {
        case .interrupted(let reason): self.init(reason, of: video)
        case .librariesMissing(let reason):
            self.init(
                .missingLibrary, source: source,
                "FFmpeg could not be loaded (\(reason)): install \(Libraries.packages)")
        case .unreadable(let cause): self.init(reading: cause, of: video)
        case .empty: self.init(.empty, source: source, "the file is empty")
        case .unrecognized(let detail):
            let reason = detail.map { " (\($0.lowercasedFirst))" } ?? ""
            self.init(.notMedia, source: source, "not a video that can be read\(reason)")
        case .refersToOthers(let what):
            self.init(
                .notAVideoItself, source: source, "\(what): it only names other files, which are not opened"
            )
        case .noVideo(let found): self.init(.noVideo, source: source, "no video stream (\(found))")
        case .encrypted(let scheme):
            self.init(.encrypted, source: source, "the video is encrypted (\(scheme)), and snap takes no keys")
        case .missingDecoder(let codec): self.init(.missingDecoder, source: source, MissingDecoder.sentence(codec))
        case .tooLarge(let width, let height, let limit):
            self.init(
                .tooLarge, source: source,
                "a picture of \(width)x\(height) is more than \(limit) pixels (allow more with --max-pixels)")
        case .unsupported(let what): self.init(.unsupported, source: source, what)
        case .failed(let cause): self.init(.noFrame, source: source, "decoding failed: \(cause)")
        case .noKeyFrame: self.init(.noFrame, source: source, "no key frame to begin with")
        case .noFrame(let detail):
            self.init(.noFrame, source: source, "no frame could be decoded" + (detail.map { " (\($0))" } ?? ""))
        case .damaged(let detail):
            self.init(
                .damaged, source: source, "\(detail) (--on-damage keep gives it all the same, nearest another one)")
        }
    }

    init(_ error: PictureError, source: String) {
        switch error {
        case .tooLarge: self.init(.tooLarge, source: source, error.description)
        case .empty, .ffmpeg: self.init(.internal, source: source, "the frame could not be converted: \(error)")
        case .hardwareFormat, .unsupportedFormat, .noDolbyVisionMetadata, .unsupportedMatrix:
            self.init(.unsupported, source: source, error.description)
        }
    }

    /// Whatever a byte source threw, or the opening of one.
    init(reading error: any Error, of video: ErrorSource) {
        let source = video.name
        switch error {
        case let error as SnapError: self = error
        case let error as SystemError:
            switch error.errorNumber {
            case _ where error.isMissingFile: self.init(.notFound, source: source, "no such file")
            case EISDIR: self.init(.isDirectory, source: source, "a folder, not a video")
            default: self.init(.notReadable, source: source, "cannot be read: \(error.meaning)")
            }
        case let error as SpoolLimitExceeded: self.init(.tooManyBytes, source: source, error.description)
        case let error as NetworkError: self.init(error, source: source)
        case let error as Interrupted: self.init(error.reason, of: video)
        default: self.init(.notReadable, source: source, "cannot be read: \(error)")
        }
    }

    private init(_ reason: Interrupt.Reason, of video: ErrorSource) {
        switch reason {
        case .cancelled: self.init(.cancelled, source: video.name, "cancelled")
        case .timedOut:
            let limit = video.timeout.map { " within \(MediaTime($0).decimalSeconds) s" } ?? " in time"
            let wait = video.interrupt.want.map { "; it waited \($0)" } ?? ""
            self.init(.timedOut, source: video.name, "no picture\(limit)\(wait) (give it longer with --timeout)")
        }
    }

    private init(_ error: NetworkError, source: String) {
        let code: Code =
            switch error.code {
            case .unsupportedURL, .invalidHeader: .usage
            case .refusedAddress, .refusedRedirect: .refusedAddress
            case .timedOut: .timedOut
            case .tooManyBytes: .tooManyBytes
            case .libraryMissing: .missingLibrary
            case .internalFailure: .internal
            default: .network
            }
        // Its sentence starts with the URL, which may be another one after a redirect; the source need not come twice.
        let prefix = source + ": "
        var message = error.message.hasPrefix(prefix) ? String(error.message.dropFirst(prefix.count)) : error.message
        if error.code == .untrustedCertificate {
            message += " (if you trust this server's own authority, give its certificate with --cacert)"
        }
        self.init(code, source: source, message)
        if case .httpStatus(let status) = error.code { httpStatus = status }
    }
}

extension SystemError {
    /// Whether there is no file of that name.
    var isMissingFile: Bool { [ENOENT, ENOTDIR].contains(errorNumber) }
}

/// What to say, and to install, when FFmpeg lacks a decoder.
enum MissingDecoder {
    static func sentence(_ codec: String) -> String {
        let advice =
            switch codec {
            case "vvc": "FFmpeg 7.1 or later has one"
            case "evc": "an FFmpeg built with libxevd has one"
            case "av1": "an FFmpeg built with libdav1d has one (Debian: libavcodec59 and later)"
            case "lcevc": "an FFmpeg 7.1 or later built with liblcevc_dec has one"
            default: "another build of FFmpeg may have one (Debian: libavcodec-extra; Fedora: ffmpeg from RPM Fusion)"
            }
        return "this FFmpeg (libavcodec \(Libraries.codecVersion)) has no decoder for \(codec); \(advice)"
    }
}

extension String {
    var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
