import CFFmpeg

extension VideoFrame {
    /// The display matrix that the frame carries, as those of H.264 and HEVC may.
    var ownDisplayMatrix: [Int32]? {
        guard let data = unsafe av_frame_get_side_data(pointer, AV_FRAME_DATA_DISPLAYMATRIX),
            unsafe data.pointee.size >= 9 * MemoryLayout<Int32>.size, let bytes = unsafe data.pointee.data
        else { return nil }
        let raw = UnsafeRawPointer(bytes)
        return (0..<9).map { unsafe raw.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self) }
    }

    var sampleAspectRatio: AspectRatio? {
        let ratio = unsafe pointer.pointee.sample_aspect_ratio
        return AspectRatio(Int(ratio.num), over: Int(ratio.den))
    }

    var isTopFieldFirst: Bool { unsafe cff_frame_is_top_field_first(pointer) != 0 }

    var colourTags: ColourDescription.Tags {
        unsafe ColourDescription.Tags(
            matrix: pointer.pointee.colorspace, range: pointer.pointee.color_range,
            primaries: pointer.pointee.color_primaries, transfer: pointer.pointee.color_trc)
    }

    /// Cropping that the decoder left to do: most apply it themselves and leave none.
    var crop: PixelRectangle? {
        let (left, right) = unsafe (Int(clamping: pointer.pointee.crop_left), Int(clamping: pointer.pointee.crop_right))
        let (top, bottom) = unsafe (Int(clamping: pointer.pointee.crop_top), Int(clamping: pointer.pointee.crop_bottom))
        guard left < width, right < width - left, top < height, bottom < height - top else { return nil }
        return PixelRectangle(x: left, y: top, width: width - left - right, height: height - top - bottom)
    }
}
