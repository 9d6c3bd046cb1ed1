import CFFmpeg

/// A frame whose samples lie in planes that the scaler and the colour conversion can read.
///
/// Red, green and blue take the places of luma and the two colour differences; grey takes all three.
@safe struct PlanarFrame: ~Copyable {
    let frame: UnsafeMutablePointer<AVFrame>
    let layout: Layout

    /// How the planes are to be read.
    struct Layout: Hashable {
        /// A YCbCr format with this memory layout, which swscale is told, whatever the samples mean.
        var code: AVPixelFormat
        /// The plane of each component: first, second, third, alpha. Two in one plane lie side by side.
        var planes: SIMD4<Int>
        var chromaShiftX: Int
        var chromaShiftY: Int
        var hasAlpha: Bool
        /// 1 or 2, in the machine's byte order unless `isForeignEndian`.
        var bytesPerSample: Int
        var isForeignEndian: Bool
        /// Whether the second and third component share a plane.
        var isSemiPlanar: Bool
        /// The largest sample, once samples have been moved up to fill 16 bits.
        var white: Int
        /// The largest sample as it is stored.
        var peak: Int

        /// Whether samples fill 16 bits already.
        var fills16Bits: Bool { bytesPerSample == 2 && peak >= 32768 }
    }

    /// Shares the pixels of a frame. The corresponding C function is `av_frame_clone`.
    init(sharing source: UnsafePointer<AVFrame>, layout: Layout) throws(FFmpegError) {
        unsafe frame = try check(av_frame_clone(source), "av_frame_clone")
        self.layout = layout
    }

    /// Allocates pixels, with FFmpeg's alignment and padding. The corresponding C function is `av_frame_get_buffer`.
    init(width: Int, height: Int, code: AVPixelFormat, layout: Layout) throws(FFmpegError) {
        let new = unsafe try check(av_frame_alloc(), "av_frame_alloc")
        unsafe new.pointee.width = Int32(width)
        unsafe new.pointee.height = Int32(height)
        unsafe new.pointee.format = code.rawValue
        let status = unsafe av_frame_get_buffer(new, 0)
        if status < 0 {
            var freed: UnsafeMutablePointer<AVFrame>? = unsafe new
            unsafe av_frame_free(&freed)
            try check(status, "av_frame_get_buffer")
        }
        unsafe frame = unsafe new
        self.layout = layout
    }

    deinit {
        var freed: UnsafeMutablePointer<AVFrame>? = unsafe frame
        unsafe av_frame_free(&freed)
    }

    var width: Int { unsafe Int(frame.pointee.width) }
    var height: Int { unsafe Int(frame.pointee.height) }

    /// One plane's memory: `rows` rows of `samples` samples.
    @safe struct Plane {
        let base: UnsafeMutablePointer<UInt8>
        /// In bytes; negative for pictures that lie bottom up.
        let stride: Int
        let samples: Int
        let rows: Int
        let bytesPerSample: Int

        func row<Sample>(_ index: Int, of type: Sample.Type) -> UnsafeMutablePointer<Sample> {
            unsafe UnsafeMutableRawPointer(base + index * stride).assumingMemoryBound(to: type)
        }
    }

    /// The memory of a component. Two that share a plane give the same one.
    ///
    /// - Parameter component: 0 to 2; 3 for alpha.
    func plane(of component: Int) throws(PictureError) -> Plane {
        let index = layout.planes[component]
        guard let base = unsafe Self.base(frame, index) else { throw .empty }
        let isChroma = component == 1 || component == 2
        let shiftX = isChroma ? layout.chromaShiftX : 0
        let shiftY = isChroma ? layout.chromaShiftY : 0
        let columns = -(-width >> shiftX)
        return unsafe Plane(
            base: base, stride: Self.stride(frame, index),
            samples: isChroma && layout.isSemiPlanar ? 2 * columns : columns, rows: -(-height >> shiftY),
            bytesPerSample: layout.bytesPerSample)
    }

    private static func base(_ frame: UnsafePointer<AVFrame>, _ plane: Int) -> UnsafeMutablePointer<UInt8>? {
        switch plane {
        case 0: unsafe frame.pointee.data.0
        case 1: unsafe frame.pointee.data.1
        case 2: unsafe frame.pointee.data.2
        default: unsafe frame.pointee.data.3
        }
    }

    private static func stride(_ frame: UnsafePointer<AVFrame>, _ plane: Int) -> Int {
        switch plane {
        case 0: unsafe Int(frame.pointee.linesize.0)
        case 1: unsafe Int(frame.pointee.linesize.1)
        case 2: unsafe Int(frame.pointee.linesize.2)
        default: unsafe Int(frame.pointee.linesize.3)
        }
    }
}
