import CFFmpeg

/// The FFmpeg that is in use, found at run time.
package enum Libraries {
    /// Loads them, the first time that it is called. Whatever is called of them before does so too, and can't say that one is
    /// missing.
    ///
    /// - Throws: ``MediaError/librariesMissing(_:)``
    package static func load() throws(MediaError) {
        guard let reason = unsafe cff_load() else { return }
        throw .librariesMissing(unsafe String(cString: reason))
    }

    /// What to install where they are missing, in words: those that snap was built for.
    package static var packages: String {
        let format = LIBAVFORMAT_VERSION_MAJOR
        let scale = LIBSWSCALE_VERSION_MAJOR
        return "libavformat\(format) and libswscale\(scale) (Debian, Ubuntu), or ffmpeg-libs (Fedora)"
    }

    /// As `59.37.100`. The corresponding C function is `avcodec_version`.
    package static var codecVersion: String { text(avcodec_version()) }
    /// The corresponding C function is `avformat_version`.
    package static var formatVersion: String { text(avformat_version()) }
    /// The release that the library was built from, such as `5.1.9-0+deb12u1`. The corresponding C function is `av_version_info`.
    package static var release: String { unsafe String(cString: av_version_info()) }

    /// Whether there is a decoder for a codec, by FFmpeg's name of it. The corresponding C function is `avcodec_find_decoder`.
    package static func canDecode(_ codec: String) -> Bool {
        guard let descriptor = unsafe avcodec_descriptor_get_by_name(codec) else { return false }
        return unsafe avcodec_find_decoder(descriptor.pointee.id) != nil
    }

    private static func text(_ version: UInt32) -> String { "\(version >> 16).\(version >> 8 & 255).\(version & 255)" }
}
