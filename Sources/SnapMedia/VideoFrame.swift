import CFFmpeg
package import SnapBase

/// One decoded frame with its timestamps; owns the AVFrame and its reference to the pixels.
@safe package struct VideoFrame: ~Copyable {
    let pointer: UnsafeMutablePointer<AVFrame>
    /// When the frame comes on screen, in ticks of ``timeBase``.
    package var presentation: Int64
    package let timeBase: TimeBase

    /// Takes over the reference that `frame` holds and leaves it blank. The corresponding C function is `av_frame_move_ref`.
    init(taking frame: UnsafeMutablePointer<AVFrame>, presentation: Int64, timeBase: TimeBase) throws(FFmpegError) {
        unsafe pointer = try check(av_frame_alloc(), "av_frame_alloc")
        unsafe av_frame_move_ref(pointer, frame)
        self.presentation = presentation
        self.timeBase = timeBase
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = unsafe pointer
        unsafe av_frame_free(&frame)
    }

    /// As coded, after the stream's own cropping, before rotation and sample aspect ratio.
    package var width: Int { unsafe Int(pointer.pointee.width) }
    package var height: Int { unsafe Int(pointer.pointee.height) }
    package var isKey: Bool { unsafe cff_frame_is_key(pointer) != 0 }
    package var isInterlaced: Bool { unsafe cff_frame_is_interlaced(pointer) != 0 }
}
