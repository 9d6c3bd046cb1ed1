import CFFmpeg

extension VideoFrame {
    /// Makes the luma of another frame the alpha of this one, without copying pixels.
    mutating func addAlpha(_ alpha: borrowing VideoFrame) throws(MediaError) {
        guard let format = unsafe PixelFormat(AVPixelFormat(pointer.pointee.format)),
            let alphaFormat = unsafe PixelFormat(AVPixelFormat(alpha.pointer.pointee.format)),
            let joined = format.withAlpha, alphaFormat.isPlanarLuma(ofDepth: format.depth),
            (alpha.width, alpha.height) == (width, height)
        else {
            let name = unsafe PixelFormat(AVPixelFormat(alpha.pointer.pointee.format))?.name ?? "unknown"
            alphaFlaw = .unfit(width: alpha.width, height: alpha.height, format: name)
            return
        }
        do throws(FFmpegError) {
            try unsafe check(cff_frame_add_alpha(pointer, alpha.pointer, joined.code), "av_buffer_ref")
            if format.isFullRangeByName { unsafe pointer.pointee.color_range = AVCOL_RANGE_JPEG }
        } catch {
            throw .failed(error)
        }
    }
}

extension PixelFormat {
    /// The same with a fourth plane for alpha; `nil` where FFmpeg has no such format.
    fileprivate var withAlpha: PixelFormat? {
        // Those that are full range by their name have no partner of the kind.
        guard let model = ["yuvj", "yuv", "gbr"].first(where: name.hasPrefix) else { return nil }
        let code = unsafe av_get_pix_fmt(model.prefix(3) + "a" + name.dropFirst(model.count))
        guard let other = PixelFormat(code), other.hasAlpha, other.depth == depth,
            (other.chromaShiftX, other.chromaShiftY) == (chromaShiftX, chromaShiftY)
        else { return nil }
        return other
    }

    /// Whether the first plane has nothing but samples of luma, of so many bits.
    fileprivate func isPlanarLuma(ofDepth depth: Int) -> Bool {
        let luma = unsafe descriptor.pointee.comp.0
        return model != .rgb && self.depth == depth && luma.plane == 0 && luma.shift == 0
            && luma.step == (depth > 8 ? 2 : 1)
    }
}
