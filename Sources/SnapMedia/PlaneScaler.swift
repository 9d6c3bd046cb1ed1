import CFFmpeg

/// Scales planes to 4:4:4 of 16 bits with libswscale: sizes and chroma positions only, never colours.
///
/// libswscale's own way to RGB is not taken, though it is as exact for limited range. It is off by more than a level for
/// full range above 8 bits, takes RGB that it scales through YCbCr, knows the matrices with Kr and Kb only, and takes two
/// to four times as long as planes of 16 bits with a matrix in floating point after them.
/// The set-up is kept while the parameters stay the same.
struct PlaneScaler: ~Copyable {
    /// What a scaled frame depends on, but for its pixels.
    struct Parameters: Hashable {
        var layout: PlanarFrame.Layout
        var source: PixelRectangle
        var width: Int
        var height: Int
        /// Where the first chroma sample lies, in 1/256 luma pixels from the first luma sample.
        var chromaX: Int
        var chromaY: Int
        /// What becomes of samples that are transparent.
        var black: SIMD3<UInt16>
        /// Whether colours come multiplied by their opacity.
        var isPremultiplied: Bool

        /// Whether colours are weighted by their opacity.
        var weighsByOpacity: Bool {
            layout.hasAlpha && (isPremultiplied || source.width != width || source.height != height)
        }
    }

    private var parameters: Parameters?
    /// Each scales what the one before made; one is enough unless the change of size is huge.
    private var stages: [Stage] = []

    /// Scales a part of a frame and hands the result to `body`; it is overwritten by the next call.
    mutating func scale<Result>(
        _ frame: borrowing PlanarFrame, _ new: Parameters,
        _ body: (borrowing PlanarFrame) throws(PictureError) -> Result
    ) throws(PictureError) -> Result {
        if parameters != new {
            parameters = nil
            stages = try Self.stages(for: new)
            parameters = new
        }
        guard let first = stages.first, let last = stages.last else { throw .empty }
        try first.scale(frame, new.source)
        if new.weighsByOpacity {
            try first.output.multiplyByOpacity(black: new.black, isMultiplied: new.isPremultiplied)
        }
        for (before, stage) in zip(stages, stages.dropFirst()) {
            try stage.scale(before.output, PixelRectangle(width: before.width, height: before.height))
        }
        if new.weighsByOpacity { try last.output.divideByOpacity(black: new.black) }
        return try body(last.output)
    }

    /// The largest reduction in one step: libswscale's filters have 256 taps at most, and its own way around
    /// (a cascade of contexts) forgets the chroma positions. Bicubic takes 4 taps for each source pixel.
    private static let largestReduction = 32

    /// libswscale takes no more than some 6500, a quarter of that for chroma.
    private static let largestEnlargement = 1024

    private static func next(from: Int, to: Int) -> Int {
        if from > largestReduction * to { return max(from / (largestReduction / 2), 3) }
        // Of two samples, libswscale would take the second.
        if from == 2, to == 1 { return 4 }
        return min(to, from * largestEnlargement)
    }

    private static func stages(for parameters: Parameters) throws(PictureError) -> [Stage] {
        var stages: [Stage] = []
        var step = parameters
        while true {
            // Opacity has the resolution of luma: colours have to have it before they can be multiplied.
            let isMultiplied = !parameters.weighsByOpacity || !stages.isEmpty
            step.width = isMultiplied ? next(from: step.source.width, to: parameters.width) : step.source.width
            step.height = isMultiplied ? next(from: step.source.height, to: parameters.height) : step.source.height
            let stage = try converting { [step] () throws(FFmpegError) in try Stage(step) }
            stages.append(stage)
            if isMultiplied, step.width == parameters.width, step.height == parameters.height { return stages }
            step.layout = stage.output.layout
            step.source = PixelRectangle(width: step.width, height: step.height)
            (step.chromaX, step.chromaY) = (0, 0)
        }
    }
}

/// One libswscale context with the frame that it writes to. A class, since arrays can't hold what can't be copied.
@safe private final class Stage {
    /// A SwsContext: opaque to Swift before FFmpeg 8, a struct since.
    private let context: UnsafeMutableRawPointer
    let output: PlanarFrame
    let width: Int
    let height: Int

    init(_ parameters: PlaneScaler.Parameters) throws(FFmpegError) {
        let code = parameters.layout.hasAlpha ? AV_PIX_FMT_YUVA444P16LE : AV_PIX_FMT_YUV444P16LE
        let layout = PlanarFrame.Layout(
            code: code, planes: [0, 1, 2, 3], chromaShiftX: 0, chromaShiftY: 0, hasAlpha: parameters.layout.hasAlpha,
            bytesPerSample: 2, isForeignEndian: false, isSemiPlanar: false, white: parameters.layout.white, peak: 65535)
        (width, height) = (parameters.width, parameters.height)
        let output = try PlanarFrame(width: width, height: height, code: code, layout: layout)
        guard let new = unsafe cff_scaler_alloc() else {
            throw FFmpegError(status: cff_error_out_of_memory, call: "sws_alloc_context")
        }
        unsafe context = unsafe new
        self.output = output
        let options: [(String, Int)] = [
            ("srcw", parameters.source.width), ("srch", parameters.source.height), ("dstw", width), ("dsth", height),
            ("src_format", Int(parameters.layout.code.rawValue)), ("dst_format", Int(code.rawValue)),
            // The same on both sides: no conversion, and shorter samples are shifted up, not stretched.
            ("src_range", 0), ("dst_range", 0),
            // libswscale takes -513 to 512; a crop that starts late in a 4:1:1 sample would ask for more.
            ("src_h_chr_pos", max(parameters.chromaX, -512)), ("src_v_chr_pos", max(parameters.chromaY, -512)),
            ("dst_h_chr_pos", 0), ("dst_v_chr_pos", 0),
            ("sws_flags", Int(cff_scaler_flags)),
        ]
        for (name, value) in options {
            try check(unsafe av_opt_set_int(context, name, Int64(value), 0), "av_opt_set_int")
        }
        try check(unsafe cff_scaler_init(context), "sws_init_context")
    }

    deinit { unsafe cff_scaler_free(context) }

    func scale(_ frame: borrowing PlanarFrame, _ part: PixelRectangle) throws(PictureError) {
        var source = unsafe [UnsafePointer<UInt8>?](repeating: nil, count: 4)
        var target = unsafe [UnsafeMutablePointer<UInt8>?](repeating: nil, count: 4)
        var sourceStrides = [Int32](repeating: 0, count: 4)
        var targetStrides = [Int32](repeating: 0, count: 4)
        for component in 0..<(frame.layout.hasAlpha ? 4 : 3) {
            let to = try output.plane(of: component)
            unsafe target[component] = unsafe to.base
            targetStrides[component] = Int32(to.stride)
            if component == 2, frame.layout.isSemiPlanar { continue }
            let from = try frame.plane(of: component)
            unsafe source[component] = unsafe UnsafePointer(from.base + frame.offset(of: component, part, from))
            sourceStrides[component] = Int32(from.stride)
        }
        let rows = unsafe cff_scaler_scale(
            context, source, sourceStrides, Int32(part.height), target, targetStrides)
        // libswscale says how many rows it wrote; 0 without an error code is one too.
        guard rows == Int32(height) else {
            throw .ffmpeg(
                FFmpegError(status: min(rows, cff_error_invalid_data), call: "sws_scale", detail: lastLogLine()))
        }
    }
}

extension PlanarFrame {
    /// From the start of a component's plane to the first sample of a part, in bytes.
    func offset(of component: Int, _ part: PixelRectangle, _ plane: Plane) -> Int {
        let isChroma = component == 1 || component == 2
        let column = part.x >> (isChroma ? layout.chromaShiftX : 0)
        let row = part.y >> (isChroma ? layout.chromaShiftY : 0)
        let samples = isChroma && layout.isSemiPlanar ? 2 : 1
        return row * plane.stride + column * samples * layout.bytesPerSample
    }
}
