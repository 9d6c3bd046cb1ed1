import CFFmpeg

/// The FFmpeg that is in use, found at run time.
package enum Libraries {
    /// As `59.37.100`. The corresponding C function is `avcodec_version`.
    package static var codecVersion: String { text(avcodec_version()) }
    /// The corresponding C function is `avformat_version`.
    package static var formatVersion: String { text(avformat_version()) }
    /// The release that the library was built from, such as `5.1.9-0+deb12u1`. The corresponding C function is `av_version_info`.
    package static var release: String { unsafe String(cString: av_version_info()) }

    private static func text(_ version: UInt32) -> String { "\(version >> 16).\(version >> 8 & 255).\(version & 255)" }
}
