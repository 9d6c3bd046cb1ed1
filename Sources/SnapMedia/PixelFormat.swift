import CFFmpeg

/// What snap needs to know of a pixel format: FFmpeg's description, read once.
@safe struct PixelFormat {
    enum Model {
        /// Luma and two colour differences.
        case ycbcr
        /// Also CIE XYZ.
        case rgb
        /// Luma alone.
        case grey
    }

    let code: AVPixelFormat
    let name: String
    let model: Model
    /// Bits of a sample.
    let depth: Int
    /// Luma columns for a chroma column, as a power of two.
    let chromaShiftX: Int
    let chromaShiftY: Int
    let hasAlpha: Bool
    let isHardware: Bool
    let isPalette: Bool
    let isFloat: Bool
    let isBayer: Bool
    /// CIE XYZ, of digital cinema.
    let isXYZ: Bool
    /// The old JPEG formats (yuvj420p and others), full range by definition.
    let isFullRangeByName: Bool
    /// FFmpeg's table: lives as long as the process and never changes.
    let descriptor: UnsafePointer<AVPixFmtDescriptor>

    /// Bits of each component: they differ in RGB 5:6:5 and its like.
    var componentDepths: [Int] {
        let all = unsafe [
            descriptor.pointee.comp.0, descriptor.pointee.comp.1, descriptor.pointee.comp.2, descriptor.pointee.comp.3,
        ]
        return isPalette
            ? [8, 8, 8, 8] : all.prefix(Int(unsafe descriptor.pointee.nb_components)).map { Int($0.depth) }
    }

    /// - Returns: `nil` for numbers that are no format.
    init?(_ code: AVPixelFormat) {
        let known = unsafe code == AV_PIX_FMT_RGB8 ? Self.rgb8 : av_pix_fmt_desc_get(code)
        guard let descriptor = unsafe known else { return nil }
        unsafe self.descriptor = unsafe descriptor
        self.code = code
        let facts = unsafe descriptor.pointee
        unsafe name = facts.name.map { unsafe String(cString: $0) } ?? "unnamed"
        let flags = unsafe Int32(truncatingIfNeeded: facts.flags)
        let has = { (flag: Int32) in flags & flag != 0 }
        isHardware = has(AV_PIX_FMT_FLAG_HWACCEL)
        isPalette = has(AV_PIX_FMT_FLAG_PAL)
        isFloat = has(AV_PIX_FMT_FLAG_FLOAT)
        isBayer = has(1 << 8)  // AV_PIX_FMT_FLAG_BAYER
        hasAlpha = has(AV_PIX_FMT_FLAG_ALPHA) || isPalette
        let components = unsafe facts.nb_components
        isXYZ = name.hasPrefix("xyz")
        // A palette holds RGB. Formats of one or two components are grey, with or without alpha.
        model = has(AV_PIX_FMT_FLAG_RGB) || isPalette || isXYZ ? .rgb : components < 3 ? .grey : .ycbcr
        depth = unsafe isPalette ? 8 : Int(facts.comp.0.depth)
        chromaShiftX = unsafe model == .ycbcr ? Int(facts.log2_chroma_w) : 0
        chromaShiftY = unsafe model == .ycbcr ? Int(facts.log2_chroma_h) : 0
        isFullRangeByName = name.hasPrefix("yuvj")
    }

    /// libavutil's table has the bits of rgb8 in another place than its header and libswscale: these are 3 of red, 3 of
    /// green, 2 of blue, from the highest on (pixfmt.h).
    private nonisolated(unsafe) static let rgb8: UnsafePointer<AVPixFmtDescriptor>? = {
        guard var descriptor = unsafe av_pix_fmt_desc_get(AV_PIX_FMT_RGB8)?.pointee else { return nil }
        unsafe (descriptor.comp.0.shift, descriptor.comp.0.depth) = (5, 3)
        unsafe (descriptor.comp.1.shift, descriptor.comp.1.depth) = (2, 3)
        unsafe (descriptor.comp.2.shift, descriptor.comp.2.depth) = (0, 2)
        let kept = UnsafeMutablePointer<AVPixFmtDescriptor>.allocate(capacity: 1)
        unsafe kept.initialize(to: descriptor)
        return unsafe UnsafePointer(kept)
    }()
}
