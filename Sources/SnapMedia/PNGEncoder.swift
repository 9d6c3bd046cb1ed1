import CFFmpeg
package import SnapBase

/// Writes pictures as PNG files: the same pixels, compressed without loss by libavcodec's encoder.
///
/// Pictures in sRGB have an sRGB chunk; others, a cICP chunk (PNG, third edition, 11.3.2.6), and an ICC profile for programs
/// that don't know it (iCCP, 11.3.2.3).
package struct PNGEncoder: Sendable, Hashable {
    /// zlib's level, 0 to 9; what is outside is moved to the nearer end. Default 4: half the time of
    /// zlib's own 6 for 1 to 3 % more bytes.
    package var compressionLevel = 4

    package init(compressionLevel: Int = 4) { self.compressionLevel = compressionLevel }

    /// - Parameter metadata: Goes into the file as EXIF (eXIf chunk: PNG, third edition, 11.3.4.5). Default `nil`, for none.
    /// - Throws: ``FFmpegError`` when the encoder is missing, memory runs out, or the picture is too large for it.
    package func encode(_ picture: Picture, metadata: PictureMetadata? = nil) throws(FFmpegError) -> [UInt8] {
        let codec = try PNGCodec(picture, compressionLevel: min(max(compressionLevel, 0), 9))
        var bytes = try codec.encode(picture)
        if let block = metadata.flatMap(EXIFBlock.init) {
            bytes = PNGChunk("eXIf", block.bytes).inserted(afterHeaderOf: bytes)
        }
        guard picture.colour != .sRGB else { return bytes }
        // Full-range RGB: the third code point is the matrix, 0 for none.
        let meaning = PNGChunk("cICP", [picture.colour.primaries, picture.colour.transfer, 0, 1])
        let profile = PNGChunk("iCCP", Array("HDR".utf8) + [0, 0] + PNGChunk.zlib(ICCProfile(picture.colour).bytes))
        return meaning.inserted(afterHeaderOf: profile.inserted(afterHeaderOf: bytes))
    }
}

/// An open encoder for one picture; owns the AVCodecContext.
@safe private struct PNGCodec: ~Copyable {
    private let context: UnsafeMutablePointer<AVCodecContext>

    init(_ picture: Picture, compressionLevel: Int) throws(FFmpegError) {
        guard let codec = unsafe avcodec_find_encoder(AV_CODEC_ID_PNG) else {
            throw FFmpegError(status: cff_error_encoder_not_found, call: "avcodec_find_encoder")
        }
        var new = unsafe try Optional(check(avcodec_alloc_context3(codec), "avcodec_alloc_context3"))
        let status = unsafe Self.open(new, codec, picture, compressionLevel)
        if status < 0 { unsafe avcodec_free_context(&new) }
        try check(status, "avcodec_open2")
        unsafe context = try check(new, "avcodec_alloc_context3")
    }

    private static func open(
        _ context: UnsafeMutablePointer<AVCodecContext>?, _ codec: UnsafePointer<AVCodec>, _ picture: Picture,
        _ compressionLevel: Int
    ) -> Int32 {
        guard let context = unsafe context else { return cff_error_out_of_memory }
        unsafe context.pointee.width = Int32(clamping: picture.width)
        unsafe context.pointee.height = Int32(clamping: picture.height)
        unsafe context.pointee.pix_fmt =
            switch (picture.channels, picture.bitsPerChannel) {
            case (.rgb, 16): AV_PIX_FMT_RGB48BE
            case (.rgba, 16): AV_PIX_FMT_RGBA64BE
            case (.rgb, _): AV_PIX_FMT_RGB24
            case (.rgba, _): AV_PIX_FMT_RGBA
            }
        // The encoder writes it into each file (pHYs chunk): square.
        unsafe context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        unsafe context.pointee.time_base = AVRational(num: 1, den: 1)
        unsafe context.pointee.compression_level = Int32(compressionLevel)
        unsafe context.pointee.thread_count = 1
        // A filter a row, the one with the smallest sum of differences, as the PNG specification advises.
        unsafe av_opt_set(context.pointee.priv_data, "pred", "mixed", 0)
        return unsafe avcodec_open2(context, codec, nil)
    }

    deinit {
        var freed: UnsafeMutablePointer<AVCodecContext>? = unsafe context
        unsafe avcodec_free_context(&freed)
    }

    func encode(_ picture: Picture) throws(FFmpegError) -> [UInt8] {
        var frame: UnsafeMutablePointer<AVFrame>? = unsafe try check(av_frame_alloc(), "av_frame_alloc")
        defer { unsafe av_frame_free(&frame) }
        var packet: UnsafeMutablePointer<AVPacket>? = unsafe try check(av_packet_alloc(), "av_packet_alloc")
        defer { unsafe av_packet_free(&packet) }
        guard let frame = unsafe frame, let packet = unsafe packet else { return [] }
        unsafe frame.pointee.width = context.pointee.width
        unsafe frame.pointee.height = context.pointee.height
        unsafe frame.pointee.format = context.pointee.pix_fmt.rawValue
        if picture.colour == .sRGB {
            // These two make the encoder write the sRGB chunk.
            unsafe frame.pointee.color_primaries = AVCOL_PRI_BT709
            unsafe frame.pointee.color_trc = AVCOL_TRC_IEC61966_2_1
        }
        try check(unsafe av_frame_get_buffer(frame, 0), "av_frame_get_buffer")
        unsafe picture.bytes.withUnsafeBufferPointer { bytes in
            guard let source = bytes.baseAddress, let target = unsafe frame.pointee.data.0 else { return }
            for y in 0..<picture.height {
                let row = unsafe target + y * Int(frame.pointee.linesize.0)
                unsafe row.update(from: source + y * picture.bytesPerRow, count: picture.bytesPerRow)
            }
        }
        try check(unsafe avcodec_send_frame(context, frame), "avcodec_send_frame")
        try check(unsafe avcodec_receive_packet(context, packet), "avcodec_receive_packet")
        return unsafe Array(UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
    }
}
