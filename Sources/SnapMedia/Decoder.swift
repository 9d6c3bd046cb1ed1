import CFFmpeg
import SnapBase

/// Packets → frames, in presentation order: one open decoder.
@safe struct Decoder: ~Copyable {
    private let context: UnsafeMutablePointer<AVCodecContext>
    /// Received frames land here first.
    private let frame: UnsafeMutablePointer<AVFrame>
    private var losses = LossCount()
    /// Where the decoder says that it has gone to the end of a picture: how the units of a packet are told apart.
    private let unitsOfToldEnds: NALUnits?
    /// The decoder is done with the packet that was sent so many packets ago, and with those before it.
    private var packetsAtWork = 0
    private let timeBase: TimeBase
    /// `nil` where nothing lies beside the packets.
    private let alpha: AlphaDecoder?
    /// How many frames it may be at work on at a time.
    var framesAtWork: Int {
        unsafe context.pointee.active_thread_type == FF_THREAD_SLICE ? 1 : max(1, Int(context.pointee.thread_count))
    }
    /// Whether packets can show frames that were decoded before, and that the decoder calls key if they were then.
    var showsFramesAgain: Bool { unsafe [AV_CODEC_ID_AV1, AV_CODEC_ID_VP9].contains(context.pointee.codec_id) }
    /// What the decoder said when it refused a packet, the last time that it did.
    private(set) var lastRefusal: FFmpegError?

    /// - Parameters:
    ///   - stream: The stream to decode.
    ///   - threads: 1 or more: how many may be at work at a time.
    ///   - isForOneKeyFrame: Whether threads are at work on the same frame or not at all.
    ///   - pixelLimit: Larger pictures are refused by the decoder.
    ///   - alphaSource: Where alpha lies that is to be decoded with the pictures; `nil` for none.
    ///   - configuration: The codec's headers; `nil` for those of the stream.
    init(
        for stream: UnsafeMutablePointer<AVStream>, timeBase: TimeBase, threads: Int, isForOneKeyFrame: Bool = false,
        pixelLimit: Int64, alphaSource: AlphaSource?, configuration: [UInt8]? = nil
    ) throws(MediaError) {
        guard let parameters = unsafe stream.pointee.codecpar else { throw .noFrame(nil) }
        let (width, height) = unsafe (Int(parameters.pointee.width), Int(parameters.pointee.height))
        if Int64(width) * Int64(height) > pixelLimit {
            throw .tooLarge(width: width, height: height, limit: pixelLimit)
        }
        guard let codec = unsafe avcodec_find_decoder(parameters.pointee.codec_id) else {
            throw .missingDecoder(codec: unsafe Self.codecName(parameters))
        }
        var alpha: AlphaDecoder?
        if let alphaSource {
            alpha = try unsafe AlphaDecoder(
                alphaSource, of: stream, timeBase: timeBase, pictureThreads: threads, pixelLimit: pixelLimit)
        }
        do throws(FFmpegError) {
            let opened = unsafe try Self.open(
                codec, parameters, stream, threads: threads, isForOneKeyFrame: isForOneKeyFrame, pixelLimit: pixelLimit,
                configuration: configuration ?? alphaSource?.configuration?.pictures)
            do throws(FFmpegError) {
                unsafe frame = try check(av_frame_alloc(), "av_frame_alloc")
            } catch {
                var opened: UnsafeMutablePointer<AVCodecContext>? = unsafe opened
                unsafe avcodec_free_context(&opened)
                throw error
            }
            unsafe context = opened
        } catch {
            throw .failed(error)
        }
        self.timeBase = timeBase
        self.alpha = alpha
        // Later ones say it of pictures whose slices ended early, too.
        let tellsEnds = unsafe parameters.pointee.codec_id == AV_CODEC_ID_HEVC && avcodec_version() >> 16 <= 60
        unitsOfToldEnds = tellsEnds ? unsafe NALUnits(hevcConfiguration: parameters.pointee.configuration) : nil
    }

    deinit {
        var (context, frame): (UnsafeMutablePointer<AVCodecContext>?, UnsafeMutablePointer<AVFrame>?) = unsafe (
            context, frame
        )
        unsafe avcodec_free_context(&context)
        unsafe av_frame_free(&frame)
    }

    private static func open(
        _ codec: UnsafePointer<AVCodec>, _ parameters: UnsafeMutablePointer<AVCodecParameters>,
        _ stream: UnsafeMutablePointer<AVStream>, threads: Int, isForOneKeyFrame: Bool, pixelLimit: Int64,
        configuration: [UInt8]?
    ) throws(FFmpegError) -> UnsafeMutablePointer<AVCodecContext> {
        var context: UnsafeMutablePointer<AVCodecContext>? = unsafe try check(
            avcodec_alloc_context3(codec), "avcodec_alloc_context3")
        do throws(FFmpegError) {
            guard let opening = unsafe context else {
                throw FFmpegError(status: cff_error_out_of_memory, call: "avcodec_alloc_context3")
            }
            try unsafe check(avcodec_parameters_to_context(opening, parameters), "avcodec_parameters_to_context")
            if let configuration {
                let status = unsafe cff_context_set_configuration(opening, configuration, configuration.count)
                try check(status, "av_malloc")
            }
            unsafe opening.pointee.pkt_timebase = stream.pointee.time_base
            if isForOneKeyFrame {
                // Of H.264 and H.265, few frames are coded in slices that threads could share.
                let isShared = unsafe ![AV_CODEC_ID_H264, AV_CODEC_ID_HEVC].contains(parameters.pointee.codec_id)
                unsafe opening.pointee.thread_type = FF_THREAD_SLICE
                unsafe opening.pointee.thread_count = isShared ? Int32(threads) : 1
            } else {
                unsafe opening.pointee.thread_count = Int32(
                    threads + waitingThreads(parameters.pointee.codec_id, threads))
            }
            if unsafe isUnsafeInThreads(parameters.pointee.codec_id) { unsafe opening.pointee.thread_count = 1 }
            unsafe opening.pointee.max_pixels = pixelLimit
            // Where a stream has checksums of its pictures, they are looked at.
            unsafe opening.pointee.err_recognition |= AV_EF_CRCCHECK
            // Crop to the pixel: by default the left edge moves to where SIMD likes it.
            unsafe opening.pointee.flags |= AV_CODEC_FLAG_UNALIGNED
            if unsafe parameters.pointee.codec_id == AV_CODEC_ID_HEVC {
                // Since 8.0, FFmpeg else leaves out each picture whose references are missing; so the frame before would
                // stand in for it, without a word. It was always given, and is known as damaged.
                unsafe opening.pointee.flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT
            }
            if unsafe parameters.pointee.codec_id == AV_CODEC_ID_H264 {
                // Without reorder information in the SPS, wait for as many frames as H.264 allows instead of guessing:
                // a wrong guess drops frames.
                unsafe opening.pointee.strict_std_compliance = cff_compliance_strict
            }
            try unsafe check(avcodec_open2(opening, codec, nil), "avcodec_open2")
            return unsafe opening
        } catch {
            unsafe avcodec_free_context(&context)
            throw error
        }
    }

    /// The frames of H.265 that are left to decode wait for each other: a thread more keeps the cores at work, and takes
    /// a quarter off the time; of VP9, a twentieth. H.264 gains nothing by it, and dav1d loses.
    private static func waitingThreads(_ codec: AVCodecID, _ threads: Int) -> Int {
        [AV_CODEC_ID_HEVC, AV_CODEC_ID_VP9].contains(codec) && threads > 1 ? 1 : 0
    }

    /// VP3 and its like lose their tables in FFmpeg 8.0 when frame threads are flushed, and crash; in which releases
    /// before and after it, is not known.
    private static func isUnsafeInThreads(_ codec: AVCodecID) -> Bool {
        avcodec_version() >> 16 >= 61 && [AV_CODEC_ID_VP3, AV_CODEC_ID_VP4, AV_CODEC_ID_THEORA].contains(codec)
    }

    private static func codecName(_ parameters: UnsafeMutablePointer<AVCodecParameters>) -> String {
        if unsafe parameters.pointee.codec_id != AV_CODEC_ID_NONE {
            return unsafe String(cString: avcodec_get_name(parameters.pointee.codec_id))
        }
        var text = [CChar](repeating: 0, count: 32)
        return unsafe text.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return "unknown" }
            return unsafe String(cString: av_fourcc_make_string(base, parameters.pointee.codec_tag))
        }
    }

    // MARK: Decoding

    enum Outcome {
        case taken
        /// The decoder could not make sense of the packet; it goes on with the next one.
        case refused
    }

    /// Sends a packet, or with `nil` asks for the frames that the decoder still holds.
    mutating func send(_ packet: Packet?) throws(MediaError) -> Outcome {
        var pictures = packet
        if let packet, let alpha {
            alpha.follow(packet)
            if let source = alpha.source { pictures = try packet.pictures(besides: source) }
        }
        let outcome = try sendPicture(pictures)
        // A picture whose alpha is lost is not whole.
        if let alpha, try alpha.send(packet) == .refused {
            lastRefusal = alpha.lastRefusal
            return .refused
        }
        return outcome
    }

    private mutating func sendPicture(_ packet: Packet?) throws(MediaError) -> Outcome {
        if let packet {
            // Leading pictures (RASL) are left out where decoding begins with the key frame behind them.
            let isTold = unitsOfToldEnds.map {
                HEVCUnits.pictureType(in: packet, $0).map { ![8, 9].contains($0) } ?? false
            }
            unsafe losses.willSend(packet, to: context, endIsTold: isTold ?? false)
        }
        let status = unsafe avcodec_send_packet(context, packet?.pointer)
        packetsAtWork = packet == nil ? packetsAtWork : framesAtWork - 1
        switch status {
        case 0...: return .taken
        case cff_error_eof: return .taken
        case cff_error_again, cff_error_out_of_memory:  // the former is a bug here: frames are received first
            throw .failed(FFmpegError(status: status, call: "avcodec_send_packet"))
        default:
            lastRefusal = FFmpegError(status: status, call: "avcodec_send_packet", detail: lastLogLine())
            return .refused
        }
    }

    enum Reception: ~Copyable {
        case frame(VideoFrame)
        case refused
        case needsPacket
        case end
    }

    /// The next frame. Its presentation is what the container's timestamp says, or `Int64.min` where it has none.
    mutating func receive() throws(MediaError) -> Reception {
        let status = unsafe avcodec_receive_frame(context, frame)
        switch status {
        case 0...:
            var received: VideoFrame
            do throws(FFmpegError) {
                let presentation = unsafe Ticks.plausible(frame.pointee.pts) ?? VideoFrame.unknown
                packetsAtWork = min(packetsAtWork, losses.packetsAgo(presentation: presentation) ?? packetsAtWork)
                received = try unsafe VideoFrame(taking: frame, presentation: presentation, timeBase: timeBase)
                // Of H.265, the decoder flags only what is one field (ITU-T H.265, table D.2), and leaves it one.
                received.isField = unsafe context.pointee.codec_id == AV_CODEC_ID_HEVC && received.isInterlaced
            } catch {
                throw .failed(error)
            }
            try alpha?.complete(&received)
            return .frame(received)
        case cff_error_again: return .needsPacket
        case cff_error_eof: return .end
        case cff_error_out_of_memory: throw .failed(FFmpegError(status: status, call: "avcodec_receive_frame"))
        default:
            lastRefusal = FFmpegError(status: status, call: "avcodec_receive_frame", detail: lastLogLine())
            return .refused
        }
    }

    /// The packets of which the decoder said since the last call that the picture is not what was coded: 0 for the one that
    /// was sent last, 1 for the one before it.
    mutating func spoiltPackets() -> [Int] {
        let pictures = losses.take(depth: framesAtWork + 1) + losses.takeUnfinished(upTo: packetsAtWork)
        return pictures + (alpha?.spoiltPackets() ?? [])
    }

    /// Forgets everything, for packets from another place. The corresponding C function is `avcodec_flush_buffers`.
    mutating func flush() {
        // Since 7.1, FFmpeg's decoder of H.265 queues the pictures that it is done with, and flushing doesn't empty the queue.
        while unsafe avcodec_receive_frame(context, frame) >= 0 {}
        unsafe avcodec_flush_buffers(context)
        losses.forget()
        alpha?.flush()
    }

    /// The codec's profile, such as `High`; `nil` before a frame was decoded, and where there is none.
    var profile: String? {
        let name = unsafe avcodec_profile_name(context.pointee.codec_id, context.pointee.profile)
        return unsafe name.map { unsafe String(cString: $0) }
    }

    /// Whether any frame that comes out is whole: intra-only codecs, and H.264, whose decoder waits for a recovery point.
    var needsNoKey: Bool {
        let codec = unsafe context.pointee.codec_id
        if codec == AV_CODEC_ID_H264 { return true }
        guard let descriptor = unsafe avcodec_descriptor_get(codec) else { return false }
        return unsafe descriptor.pointee.props & AV_CODEC_PROP_INTRA_ONLY != 0
    }
}
