import CFFmpeg

extension PlanarFrame {
    /// Copies a frame of any format to planes of 16 bits: exact, for packed, indexed, big-endian and floating samples.
    static func unpacking(_ frame: UnsafePointer<AVFrame>, format: PixelFormat) throws(PictureError) -> PlanarFrame {
        guard !format.isBayer, let code = code16(of: format) else {
            throw .unsupportedFormat(format.name)
        }
        let depths = format.componentDepths
        // RGB 5:6:5 and its like are stretched to 16 bits, each component by itself; the rest is shifted.
        let isStretched = format.isFloat || Set(depths).count > 1
        // Floats of 16 bits, which FFmpeg has since 7.0, are not read.
        guard format.isFloat ? depths.allSatisfy({ $0 == 32 }) : isStretched || depths.allSatisfy({ $0 <= 16 }) else {
            throw .unsupportedFormat(format.name)
        }
        let white = isStretched ? 65535 : ((1 << depths[0]) - 1) << (16 - depths[0])

        let colours = format.model == .grey ? 1 : 3
        let layout = Layout(
            code: code, planes: format.model == .grey ? [0, 0, 0, 3] : [0, 1, 2, 3],
            chromaShiftX: format.chromaShiftX, chromaShiftY: format.chromaShiftY, hasAlpha: format.hasAlpha,
            bytesPerSample: 2, isForeignEndian: false, isSemiPlanar: false, white: white,
            peak: white)
        let (width, height) = unsafe (Int(frame.pointee.width), Int(frame.pointee.height))
        let result = try converting { () throws(FFmpegError) in
            try PlanarFrame(width: width, height: height, code: code, layout: layout)
        }
        for component in depths.indices {
            let target = try result.plane(of: component < colours ? component : 3)
            let conversion = SampleConversion(
                depth: depths[component], isFloat: format.isFloat, isStretched: isStretched,
                isInverted: format.code == AV_PIX_FMT_MONOWHITE)
            unsafe copy(component, of: frame, format: format, to: target, conversion)
        }
        return result
    }

    private struct SampleConversion {
        let depth: Int
        let isFloat: Bool
        let isStretched: Bool
        let isInverted: Bool

        @inline(__always)
        func callAsFunction(_ sample: UInt32) -> UInt16 {
            if isFloat {
                let value = Float(bitPattern: sample)
                return value > 0 ? UInt16(min(value, 1) * 65535 + 0.5) : 0  // not for NaN either
            }
            let limit = UInt32((1 << depth) - 1)
            let value = isInverted ? limit - sample : sample
            return isStretched ? UInt16((value * 65535 + limit / 2) / limit) : UInt16(value << UInt32(16 - depth))
        }
    }

    private static func copy(
        _ component: Int, of frame: UnsafePointer<AVFrame>, format: PixelFormat, to target: Plane,
        _ conversion: SampleConversion
    ) {
        var line = [UInt32](repeating: 0, count: target.samples)
        for y in 0..<target.rows {
            let row = unsafe target.row(y, of: UInt16.self)
            unsafe line.withUnsafeMutableBufferPointer { line in
                unsafe cff_frame_read_line(
                    frame, format.descriptor, Int32(y), Int32(component), Int32(line.count), line.baseAddress)
                for x in 0..<line.count { unsafe row[x] = conversion(line[x]) }
            }
        }
    }

    private static func code16(of format: PixelFormat) -> AVPixelFormat? {
        switch (format.chromaShiftX, format.chromaShiftY, format.hasAlpha) {
        case (0, 0, false): AV_PIX_FMT_YUV444P16LE
        case (0, 0, true): AV_PIX_FMT_YUVA444P16LE
        case (1, 0, false): AV_PIX_FMT_YUV422P16LE
        case (1, 0, true): AV_PIX_FMT_YUVA422P16LE
        case (1, 1, false): AV_PIX_FMT_YUV420P16LE
        case (1, 1, true): AV_PIX_FMT_YUVA420P16LE
        default: nil
        }
    }
}
