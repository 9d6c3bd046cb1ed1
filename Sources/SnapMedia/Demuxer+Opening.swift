import CFFmpeg
import SnapBase

/// Opening: what the bytes are, which stream is the video, and which containers are refused because they only name others.
extension Demuxer {
    private static let readBufferSize: Int32 = 1 << 16
    /// How much is read to tell the format and, where headers don't say enough, the streams. libavformat's own default is 5 MB.
    private static let probeSize: Int64 = 5_000_000
    /// Formats that open other files or the network. A user is told; a hostile file gets nowhere.
    private static let referringFormats: Set<String> = [
        "hls", "dash", "concat", "concatf", "imf", "sdp", "rtsp", "rtp", "sap", "redir", "avisynth", "vapoursynth",
        "lavfi", "image2",
    ]
    /// Formats whose headers say all that a decoder needs, so that no packet has to be read before the first seek.
    private static let selfDescribingFormats: Set<String> = ["mov", "matroska"]

    /// - Parameter knowsEnd: Whether nobody will ask when the stream ends: a transport or program stream, which doesn't
    ///   tell, is then not searched for it.
    static func open(
        _ reader: ByteReader, _ segments: SegmentFormat?, knowsEnd: Bool, ignoringEdits: Bool
    ) throws(MediaError) -> (UnsafeMutablePointer<AVFormatContext>, UnsafeMutablePointer<AVIOContext>) {
        if segments == nil {
            try refuseLists(reader)
            try Box.announceMovie(in: reader)
        }
        do throws(FFmpegError) {
            var io: UnsafeMutablePointer<AVIOContext>? = unsafe try reader.makeContext(
                bufferSize: readBufferSize, isForwardOnly: segments != nil)
            do throws(FFmpegError) {
                let context = unsafe try openContext(
                    io: io, segments, reader.makeInterruptCallback(), knowsEnd: knowsEnd, ignoringEdits: ignoringEdits)
                if let io = unsafe io { return unsafe (context, io) }
                throw FFmpegError(status: cff_error_out_of_memory, call: "avio_alloc_context")
            } catch {
                unsafe cff_io_free(&io)
                throw error
            }
        } catch {
            if let failure = reader.takeFailure() { throw failure }
            if let list = referredList(error) { throw list }
            throw error.status == cff_error_out_of_memory
                ? .failed(error) : .unrecognized(error.detail ?? error.meaning)
        }
    }

    static func close(_ context: UnsafeMutablePointer<AVFormatContext>, _ io: UnsafeMutablePointer<AVIOContext>) {
        var context: UnsafeMutablePointer<AVFormatContext>? = unsafe context
        var io: UnsafeMutablePointer<AVIOContext>? = unsafe io
        unsafe avformat_close_input(&context)  // leaves a custom AVIOContext to its owner
        unsafe cff_io_free(&io)
    }

    private static func openContext(
        io: UnsafeMutablePointer<AVIOContext>?, _ segments: SegmentFormat?, _ interruptCallback: AVIOInterruptCB,
        knowsEnd: Bool, ignoringEdits: Bool
    ) throws(FFmpegError) -> UnsafeMutablePointer<AVFormatContext> {
        var format: UnsafePointer<AVInputFormat>?
        if let segments {
            unsafe format = av_find_input_format(segments.demuxerName)
        } else {
            try unsafe check(
                av_probe_input_buffer2(io, &format, "", nil, 0, UInt32(probeSize)), "av_probe_input_buffer2")
        }
        guard let found = unsafe format else {
            throw FFmpegError(status: cff_error_demuxer_not_found, call: "av_probe_input_buffer2")
        }
        let names = unsafe formatNames(found)
        if !referringFormats.isDisjoint(with: names) {
            throw FFmpegError(status: cff_error_not_permitted, call: "avformat_open_input", detail: names.first)
        }
        var options: OpaquePointer?
        defer { unsafe av_dict_free(&options) }
        if ignoringEdits { try unsafe check(av_dict_set(&options, "ignore_editlist", "1", 0), "av_dict_set") }
        let context = unsafe try check(avformat_alloc_context(), "avformat_alloc_context")
        unsafe context.pointee.pb = io
        unsafe context.pointee.interrupt_callback = interruptCallback
        unsafe context.pointee.probesize = segments == nil ? probeSize : SegmentFormat.probeSize
        unsafe context.pointee.skip_estimate_duration_from_pts = knowsEnd ? 1 : 0
        unsafe cff_format_forbid_opening(context)
        var opened: UnsafeMutablePointer<AVFormatContext>? = unsafe context
        // Frees the context on failure.
        try unsafe check(avformat_open_input(&opened, "", found, &options), "avformat_open_input")
        guard let opened = unsafe opened else {
            throw FFmpegError(status: cff_error_out_of_memory, call: "avformat_open_input")
        }
        if unsafe segments == nil && needsStreamInfo(opened, names) {
            // A failure here is no reason to give up: what a decoder makes of the packets decides.
            unsafe avformat_find_stream_info(opened, nil)
            _ = lastLogLine()
        }
        return unsafe opened
    }

    static func formatNames(_ format: UnsafePointer<AVInputFormat>) -> [String] {
        guard let name = unsafe format.pointee.name else { return [] }
        return unsafe String(cString: name).split(separator: ",").map(String.init)
    }

    private static func needsStreamInfo(_ context: UnsafeMutablePointer<AVFormatContext>, _ names: [String]) -> Bool {
        if unsafe selfDescribingFormats.isDisjoint(with: names) || context.pointee.nb_streams == 0 { return true }
        return unsafe streams(of: context).contains { stream in
            guard let parameters = unsafe stream.pointee.codecpar else { return true }
            return unsafe parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO
                && (parameters.pointee.width <= 0 || parameters.pointee.height <= 0)
        }
    }

    static func streams(of context: UnsafeMutablePointer<AVFormatContext>) -> [UnsafeMutablePointer<AVStream>] {
        unsafe (0..<Int(context.pointee.nb_streams)).compactMap { unsafe context.pointee.streams[$0] }
    }

    // MARK: Refusals

    /// Text files that list others are told by their first bytes, before libavformat sees them.
    private static func refuseLists(_ reader: ByteReader) throws(MediaError) {
        let bytes = try reader.read(512, at: 0)
        if bytes.isEmpty { throw .empty }
        let text = String(decoding: bytes, as: UTF8.self).drop { $0 == "\u{FEFF}" || $0.isWhitespace }
        if text.hasPrefix("#EXTM3U") {
            throw .refersToOthers("an HLS playlist, which is read as one where its name ends in .m3u8")
        }
        if text.hasPrefix("ffconcat version") { throw .refersToOthers("an ffconcat script") }
        if text.hasPrefix("v=0"), text.dropFirst(3).first?.isNewline == true {
            throw .refersToOthers("a session description (SDP)")
        }
        if text.hasPrefix("<"), text.contains("<MPD") { throw .refersToOthers("a DASH manifest") }
    }

    private static func referredList(_ error: FFmpegError) -> MediaError? {
        error.status == cff_error_not_permitted
            ? .refersToOthers("a file that names others (\(error.detail ?? "unknown"))") : nil
    }

    // MARK: The video stream

    /// The stream that a player shows: not cover art; the one marked as default, then the largest, then the first.
    static func chooseStream(
        of context: UnsafeMutablePointer<AVFormatContext>
    ) throws(MediaError) -> (stream: UnsafeMutablePointer<AVStream>, timeBase: TimeBase) {
        let all = unsafe streams(of: context)
        let candidates = unsafe all.filter { unsafe isVideo($0) && !isPicture($0) }
        let best = unsafe candidates.max { unsafe rank($0) < rank($1) }
        guard let chosen = unsafe best else { throw .noVideo(unsafe noVideo(in: all)) }
        for index in unsafe all.indices where unsafe all[index] != chosen {
            unsafe all[index].pointee.discard = AVDISCARD_ALL
        }
        guard let timeBase = unsafe TimeBase(chosen.pointee.time_base.num, over: chosen.pointee.time_base.den) else {
            throw .unrecognized("the video stream has no time base")
        }
        return unsafe (chosen, timeBase)
    }

    /// How many streams of video come before one, by its index.
    static func videoStreams(before index: Int32, in context: UnsafeMutablePointer<AVFormatContext>) -> Int {
        unsafe streams(of: context).count { unsafe isVideo($0) && !isPicture($0) && $0.pointee.index < index }
    }

    private static func isVideo(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        unsafe stream.pointee.codecpar?.pointee.codec_type == AVMEDIA_TYPE_VIDEO
    }

    private static func isPicture(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        unsafe stream.pointee.disposition & (AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS) != 0
    }

    private static func rank(_ stream: UnsafeMutablePointer<AVStream>) -> (Int, Int64, Int32) {
        guard let parameters = unsafe stream.pointee.codecpar else { return (0, 0, 0) }
        return unsafe (
            stream.pointee.disposition & AV_DISPOSITION_DEFAULT != 0 ? 1 : 0,
            Int64(parameters.pointee.width) * Int64(parameters.pointee.height), -stream.pointee.index
        )
    }

    /// What there is instead of video: "audio only: aac".
    private static func noVideo(in streams: [UnsafeMutablePointer<AVStream>]) -> String {
        let summary = unsafe summary(of: streams)
        if summary.isEmpty { return "no streams at all" }
        return summary.contains(";") ? summary : summary.replacing(":", with: " only:", maxReplacements: 1)
    }

    /// What streams there are: "audio: aac, opus; subtitles: subrip".
    static func summary(of streams: [UnsafeMutablePointer<AVStream>]) -> String {
        var names: [String: [String]] = [:]
        for index in unsafe streams.indices {
            guard let parameters = unsafe streams[index].pointee.codecpar else { continue }
            let codec = unsafe String(cString: avcodec_get_name(parameters.pointee.codec_id))
            switch unsafe parameters.pointee.codec_type {
            case AVMEDIA_TYPE_AUDIO: names["audio", default: []].append(codec)
            case AVMEDIA_TYPE_VIDEO:
                names[unsafe isPicture(streams[index]) ? "cover art" : "more video", default: []].append(codec)
            case AVMEDIA_TYPE_SUBTITLE: names["subtitles", default: []].append(codec)
            default: names["data", default: []].append(codec)
            }
        }
        return ["more video", "audio", "cover art", "subtitles", "data"]
            .compactMap { kind in names[kind].map { "\(kind): " + $0.joined(separator: ", ") } }
            .joined(separator: "; ")
    }
}
