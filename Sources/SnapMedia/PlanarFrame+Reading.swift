import CFFmpeg

extension PlanarFrame {
    /// Takes a decoded frame: as it is where its planes can be read, else with its samples copied to planes of 16 bits.
    static func reading(_ frame: UnsafePointer<AVFrame>, format: PixelFormat) throws(PictureError) -> PlanarFrame {
        if let layout = directLayout(of: format) {
            return try converting { () throws(FFmpegError) in unsafe try PlanarFrame(sharing: frame, layout: layout) }
        }
        return unsafe try unpacking(frame, format: format)
    }

    /// How to read a format's planes where they are; `nil` where its samples are packed, indexed or floating.
    private static func directLayout(of format: PixelFormat) -> Layout? {
        let facts = unsafe format.descriptor.pointee
        let isBigEndian = unsafe facts.flags & UInt64(AV_PIX_FMT_FLAG_BE) != 0
        let isBitstream = unsafe facts.flags & UInt64(AV_PIX_FMT_FLAG_BITSTREAM) != 0
        // swscale stretches alpha to 16 bits where it copies planes and shifts it where it scales: copied here instead.
        if format.hasAlpha, format.chromaShiftX == 0, format.chromaShiftY == 0 { return nil }
        guard !format.isPalette, !format.isFloat, !format.isXYZ, !format.isBayer, !isBitstream else { return nil }
        let all = unsafe [facts.comp.0, facts.comp.1, facts.comp.2, facts.comp.3]
        let used = all.prefix(Int(unsafe facts.nb_components))
        let bytes = format.depth > 8 ? 2 : 1
        let isPlane = { (component: AVComponentDescriptor) in
            Int(component.step) == bytes && component.shift == 0 && Int(component.depth) == format.depth
        }
        let (first, last) = (all[0], used.last ?? all[0])
        let alpha = format.hasAlpha ? Int(last.plane) : 3

        if format.model == .ycbcr {
            let isSemiPlanar = all[1].plane == all[2].plane && first.plane != all[1].plane
            // Of the formats with their samples in the high bits, swscale reads those of two planes.
            let isHigh = isSemiPlanar && Int(first.step) == bytes
            guard isHigh || used.allSatisfy(isPlane), sws_isSupportedInput(swscaleCode(of: format)) != 0 else {
                return nil
            }
            return Layout(
                code: swscaleCode(of: format), planes: [0, Int(all[1].plane), Int(all[2].plane), alpha],
                chromaShiftX: format.chromaShiftX, chromaShiftY: format.chromaShiftY, hasAlpha: format.hasAlpha,
                bytesPerSample: bytes, isForeignEndian: bytes == 2 && isBigEndian == (Int(1).littleEndian == 1),
                isSemiPlanar: isSemiPlanar, depth: format.depth,
                shift: Int(first.shift))
        }
        guard !isBigEndian, used.allSatisfy(isPlane),
            let code = code444(depth: format.depth)
        else { return nil }
        let (second, third) = format.model == .rgb ? (all[1], all[2]) : (first, first)
        return Layout(
            code: code, planes: [Int(first.plane), Int(second.plane), Int(third.plane), 3], chromaShiftX: 0,
            chromaShiftY: 0, hasAlpha: false, bytesPerSample: bytes, isForeignEndian: false,
            isSemiPlanar: false, depth: format.depth, shift: 0)
    }

    /// The same layout under a name that says nothing of the range, so that swscale converts none.
    private static func swscaleCode(of format: PixelFormat) -> AVPixelFormat {
        switch format.code {
        case AV_PIX_FMT_YUVJ420P: AV_PIX_FMT_YUV420P
        case AV_PIX_FMT_YUVJ422P: AV_PIX_FMT_YUV422P
        case AV_PIX_FMT_YUVJ444P: AV_PIX_FMT_YUV444P
        case AV_PIX_FMT_YUVJ440P: AV_PIX_FMT_YUV440P
        case AV_PIX_FMT_YUVJ411P: AV_PIX_FMT_YUV411P
        default: format.code
        }
    }

    private static func code444(depth: Int) -> AVPixelFormat? {
        switch depth {
        case 8: AV_PIX_FMT_YUV444P
        case 9: AV_PIX_FMT_YUV444P9LE
        case 10: AV_PIX_FMT_YUV444P10LE
        case 12: AV_PIX_FMT_YUV444P12LE
        case 14: AV_PIX_FMT_YUV444P14LE
        case 16: AV_PIX_FMT_YUV444P16LE
        default: nil
        }
    }
}

extension PlanarFrame.Layout {
    /// Samples of a depth, not yet moved up to fill 16 bits.
    init(
        code: AVPixelFormat, planes: SIMD4<Int>, chromaShiftX: Int, chromaShiftY: Int, hasAlpha: Bool,
        bytesPerSample: Int, isForeignEndian: Bool, isSemiPlanar: Bool, depth: Int, shift: Int
    ) {
        let white = ((1 << depth) - 1) << (16 - depth)
        self.init(
            code: code, planes: planes, chromaShiftX: chromaShiftX, chromaShiftY: chromaShiftY, hasAlpha: hasAlpha,
            bytesPerSample: bytesPerSample, isForeignEndian: isForeignEndian, isSemiPlanar: isSemiPlanar, white: white,
            peak: ((1 << depth) - 1) << shift)
    }
}
