import CFFmpeg

/// What a picture holds that is meant for a headset or two eyes. It is left as coded: which part of it somebody wants
/// to see is not for snap to say.
struct ViewLayout: Sendable, Hashable {
    /// How the views of two eyes are packed, in FFmpeg's words; `nil` for one view.
    private var stereo: String?
    /// How a sphere lies in the picture, in FFmpeg's words; `nil` for a flat picture.
    private var projection: String?

    init() {}

    init(of stream: UnsafePointer<AVStream>) {
        unsafe self.init(cff_stream_stereo(stream), cff_stream_spherical(stream))
    }

    init(of frame: borrowing VideoFrame) {
        unsafe self.init(cff_frame_stereo(frame.pointer), cff_frame_spherical(frame.pointer))
    }

    private init(_ stereo: UnsafePointer<AVStereo3D>?, _ spherical: UnsafePointer<AVSphericalMapping>?) {
        if let type = unsafe stereo?.pointee.type, type != AV_STEREO3D_2D {
            self.stereo = unsafe av_stereo3d_type_name(type.rawValue).map { unsafe String(cString: $0) }
        }
        if let projection = unsafe spherical?.pointee.projection {
            self.projection = unsafe av_spherical_projection_name(projection).map { unsafe String(cString: $0) }
        }
    }

    /// The same, with what only the stream knows.
    func completed(by other: ViewLayout) -> ViewLayout {
        var layout = self
        layout.stereo = stereo ?? other.stereo
        layout.projection = projection ?? other.projection
        return layout
    }

    /// Sentences for a receipt.
    var notes: [String] {
        [
            stereo.map { "stereoscopic (\($0)): the views are left as coded" },
            projection.map { "spherical (\($0)): the projection is left as coded" },
        ].compactMap(\.self)
    }
}
