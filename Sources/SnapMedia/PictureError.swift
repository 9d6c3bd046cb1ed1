/// Why a decoded frame could not become a picture.
package enum PictureError: Error, Sendable, Hashable {
    /// The frame's pixels are in a hardware decoder's memory; the name of the format.
    case hardwareFormat(String)
    /// A pixel format that nothing here reads; its name.
    case unsupportedFormat(String)
    /// Dolby Vision whose colours come by its own metadata only, which are missing or can't be true; its profile.
    case noDolbyVisionMetadata(profile: Int)
    /// A matrix that is no linear map of R'G'B', or is not known; its name.
    case unsupportedMatrix(String)
    /// More pixels than a picture may have (``PictureConverter/mostPixels``).
    case tooLarge(width: Int, height: Int)
    /// The frame has no pixels.
    case empty
    case ffmpeg(FFmpegError)
}

extension PictureError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .hardwareFormat(let name): "the pixels are in a hardware decoder's memory (\(name))"
        case .unsupportedFormat(let name): "pixel format \(name) is not supported"
        case .noDolbyVisionMetadata(let profile):
            "Dolby Vision profile \(profile): the metadata that make colours of its numbers are missing or broken"
        case .unsupportedMatrix(let name): "colour matrix \(name) is not supported"
        case .tooLarge(let width, let height): "\(width)x\(height) is more than \(PictureConverter.mostPixels) pixels"
        case .empty: "the frame has no pixels"
        case .ffmpeg(let error): error.description
        }
    }
}

/// Passes on what FFmpeg's calls throw as a ``PictureError``.
func converting<Value: ~Copyable>(_ body: () throws(FFmpegError) -> Value) throws(PictureError) -> Value {
    do { return try body() } catch { throw .ffmpeg(error) }
}
