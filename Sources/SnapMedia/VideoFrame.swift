import CFFmpeg
package import SnapBase

/// One decoded frame with its timestamps; owns the AVFrame and its reference to the pixels.
@safe package struct VideoFrame: ~Copyable {
    let pointer: UnsafeMutablePointer<AVFrame>
    /// When the frame comes on screen, in ticks of ``timeBase``.
    package var presentation: Int64
    package let timeBase: TimeBase
    /// Whether the frame, or one that it was predicted from, lost data.
    package var isDamaged = false
    /// How it is to be turned: the frame's own display matrix, or the one before it that still counts; nine numbers as in
    /// ``Orientation/nearest(toDisplayMatrix:)``.
    var displayMatrix: [Int32]?
    /// Why the frame has no alpha though its video has; `nil` where all is well.
    package var alphaFlaw: AlphaFlaw?
    /// Whether its colours were multiplied by their opacity.
    var isPremultiplied = false

    /// Takes over the reference that `frame` holds and leaves it blank. The corresponding C function is `av_frame_move_ref`.
    init(taking frame: UnsafeMutablePointer<AVFrame>, presentation: Int64, timeBase: TimeBase) throws(FFmpegError) {
        unsafe pointer = try check(av_frame_alloc(), "av_frame_alloc")
        unsafe av_frame_move_ref(pointer, frame)
        self.presentation = presentation
        self.timeBase = timeBase
        displayMatrix = ownDisplayMatrix
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = unsafe pointer
        unsafe av_frame_free(&frame)
    }

    /// As coded, after the stream's own cropping, before rotation and sample aspect ratio.
    package var width: Int { unsafe Int(pointer.pointee.width) }
    package var height: Int { unsafe Int(pointer.pointee.height) }
    package var isKey: Bool { unsafe cff_frame_is_key(pointer) != 0 }
    /// Whether it is a key frame that is predicted from nothing: H.264's decoder calls so whatever its stream does.
    var isIntraKey: Bool {
        let type = unsafe pointer.pointee.pict_type
        return isKey && type != AV_PICTURE_TYPE_P && type != AV_PICTURE_TYPE_B
    }
    /// Whether it is shown behind all that was coded before it, as all are that are not predicted from both sides.
    var isShownInOrder: Bool {
        let type = unsafe pointer.pointee.pict_type
        return type != AV_PICTURE_TYPE_B && type != AV_PICTURE_TYPE_BI
    }
    /// Where its pixels lie in memory: two frames that have it in common are one picture.
    var pixelAddress: UInt { unsafe UInt(bitPattern: pointer.pointee.data.0) }
    /// Whether it holds two fields.
    package var isInterlaced: Bool { unsafe cff_frame_is_interlaced(pointer) != 0 && !isField }
    /// Whether it is one field of two that are coded as pictures of their own.
    var isField = false
}

extension VideoFrame {
    /// A second reference to the same pixels. The corresponding C function is `av_frame_clone`.
    package func copy() throws(MediaError) -> VideoFrame {
        do throws(FFmpegError) {
            var clone: UnsafeMutablePointer<AVFrame>? = unsafe try check(av_frame_clone(pointer), "av_frame_clone")
            defer { unsafe av_frame_free(&clone) }
            guard let clone = unsafe clone else {
                throw FFmpegError(status: cff_error_out_of_memory, call: "av_frame_clone")
            }
            var copy = unsafe try VideoFrame(taking: clone, presentation: presentation, timeBase: timeBase)
            copy.isDamaged = isDamaged
            copy.isField = isField
            copy.displayMatrix = displayMatrix
            copy.alphaFlaw = alphaFlaw
            copy.isPremultiplied = isPremultiplied
            return copy
        } catch {
            throw .failed(error)
        }
    }

    /// What the decoder itself says of the frame: concealed errors, missing references, a corrupt packet.
    var isFlaggedDamaged: Bool {
        unsafe pointer.pointee.decode_error_flags != 0 || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    }

    /// What ``presentation`` is until a ``PresentationClock`` has looked at the frame, where the container has no time for it.
    static let unknown = cff_no_timestamp

    /// When the packet that completed the frame was decoded, in ticks; `nil` where not known.
    var decodingTime: Int64? {
        unsafe Ticks.plausible(pointer.pointee.pkt_dts)
    }

    /// How long the container says that the frame lasts, in ticks; `nil` where it doesn't.
    var duration: Int64? {
        unsafe Ticks.plausible(cff_frame_duration(pointer)).flatMap { $0 > 0 ? $0 : nil }
    }
}

/// Looking into an optional frame without consuming it.
extension Optional where Wrapped == VideoFrame {
    var presentation: Int64? {
        switch self {
        case .some(let frame): frame.presentation
        case .none: nil
        }
    }

    var isDamaged: Bool {
        switch self {
        case .some(let frame): frame.isDamaged
        case .none: false
        }
    }
}
