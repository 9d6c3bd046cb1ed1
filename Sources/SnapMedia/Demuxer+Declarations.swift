import CFFmpeg
import SnapBase

/// What the container says of the video, before anything is decoded.
extension Demuxer {
    /// The container's own index: when the last key frame that is decoded at or before a time is decoded.
    ///
    /// - Returns: `nil` where there is no index, or nothing in it, or where it may not reach so far.
    func indexedKey(notAfter ticks: Int64) -> Int64? {
        if segments != nil { return nil }
        let place = unsafe av_index_search_timestamp(stream, ticks, AVSEEK_FLAG_BACKWARD)
        let growsByReading = listedAtOpening < 2
        if growsByReading, unsafe place == avformat_index_get_entries_count(stream) - 1 { return nil }
        guard place >= 0, let entry = unsafe avformat_index_get_entry(stream, place) else { return nil }
        return unsafe Ticks.plausible(entry.pointee.timestamp)
    }

    /// Whether what is later lies farther behind, as far as the index goes, or the clock of 32 bits has wrapped: libavformat
    /// lists the key frames of FLV as it reads them, in the order of their times.
    var isListInOrder: Bool {
        var last: AVIndexEntry?
        for index in unsafe 0..<avformat_index_get_entries_count(stream) {
            guard let entry = unsafe avformat_index_get_entry(stream, index)?.pointee else { continue }
            if let last, entry.pos < last.pos {
                // Written into the file by whoever it was: they may be anything.
                let distance = Ticks.clamped(entry.timestamp) - Ticks.clamped(last.timestamp)
                if distance < Int64(1) << 31 { return false }
            }
            last = entry
        }
        return true
    }

    var isMP4: Bool { formatNames.contains("mov") }
    var isMatroska: Bool { formatNames.contains("matroska") }

    /// Whether decoding times are the container's own. Elsewhere libavformat makes them up from presentation times,
    /// wrongly for HEVC in Matroska.
    var tellsDecodingTimes: Bool {
        !formatNames.isDisjoint(with: ["mov", "mpegts", "mpeg", "flv", "nut"])
    }

    /// Whether the codec may show frames in another order than that of its packets.
    var reordersFrames: Bool {
        guard let parameters = unsafe stream.pointee.codecpar,
            let descriptor = unsafe avcodec_descriptor_get(parameters.pointee.codec_id)
        else { return true }
        return unsafe descriptor.pointee.props & AV_CODEC_PROP_REORDER != 0
    }

    /// Whether the container may give times to some packets only.
    var timesSomePackets: Bool { !formatNames.isDisjoint(with: ["mpegts", "mpeg"]) }

    /// How many frames later a packet's frame is shown than the packet is decoded, as far as its headers tell.
    var reorderingDepth: Int64 { unsafe Int64(min(max(stream.pointee.codecpar?.pointee.video_delay ?? 0, 0), 16)) }

    /// The size of a frame, as the container says; 0 where it is not known.
    var frameSize: (width: Int, height: Int) {
        guard let parameters = unsafe stream.pointee.codecpar else { return (0, 0) }
        return unsafe (Int(parameters.pointee.width), Int(parameters.pointee.height))
    }

    /// Whether the container or the first packets say that frames are interlaced.
    var namesFieldOrder: Bool {
        guard let parameters = unsafe stream.pointee.codecpar else { return false }
        let order = unsafe parameters.pointee.field_order
        return order != AV_FIELD_UNKNOWN && order != AV_FIELD_PROGRESSIVE
    }

    /// The nominal length of a frame in ticks, 1 or more: from the frame rate that the container or codec names, else 1/25 s.
    var nominalFrameDuration: Int64 {
        let rates = unsafe [stream.pointee.avg_frame_rate, stream.pointee.r_frame_rate]
        let rate = rates.first { $0.num > 0 && $0.den > 0 } ?? AVRational(num: 25, den: 1)
        let base = unsafe stream.pointee.time_base
        return min(max(1, av_rescale_q(1, AVRational(num: rate.den, den: rate.num), base)), Ticks.limit >> 8)
    }

    /// The end of the stream as its header declares it, in ticks; of the whole file where it declares only that, which
    /// may be later; `nil` where it declares neither.
    var declaredEnd: Int64? {
        if segments != nil { return nil }  // what a header says of a stream is not said of these segments
        let (start, duration) = unsafe (stream.pointee.start_time, stream.pointee.duration)
        if duration > 0 { return Ticks.clamped((Ticks.plausible(start) ?? 0) + Ticks.clamped(duration)) }
        return unsafe withContext { context in
            let (start, duration) = unsafe (context.pointee.start_time, context.pointee.duration)
            guard duration > 0 else { return nil }
            let end = (Ticks.plausible(start) ?? 0) + Ticks.clamped(duration)
            return unsafe Ticks.clamped(
                av_rescale_q(end, AVRational(num: 1, den: AV_TIME_BASE), stream.pointee.time_base))
        }
    }

    /// What the stream says of its pictures.
    func pictureFacts() throws(MediaError) -> StreamFacts {
        var facts = unsafe StreamFacts(stream)
        if isMP4, reader.isSeekable || segments != nil {
            let (width, height) = frameSize
            let track = unsafe UInt32(truncatingIfNeeded: stream.pointee.id)
            facts.apertureFrame = PixelRectangle(width: width, height: height)
            if unsafe stream.pointee.nb_frames < 2 { facts.hasAlphaItem = try StillItem.hasAlpha(in: reader) }
            facts.cleanAperture = try CleanAperture.rectangle(in: reader, track: track, width: width, height: height)
        }
        if isMatroska, reader.isSeekable { try crop(&facts) }
        return facts
    }

    private func crop(_ facts: inout StreamFacts) throws(MediaError) {
        let (width, height) = frameSize
        let index = unsafe withContext { unsafe Self.videoStreams(before: stream.pointee.index, in: $0) }
        guard let crop = try MatroskaCrop(in: reader, videoTrack: index, width: width, height: height) else { return }
        facts.apertureFrame = PixelRectangle(width: width, height: height)
        facts.cleanAperture = crop.rectangle
        facts.sampleAspectRatio = crop.sampleAspectRatio ?? facts.sampleAspectRatio
    }

    /// The container's edit list, or ordered chapters; empty without, or where they can't be looked at.
    func editList() throws(MediaError) -> EditList {
        guard segments == nil, reader.isSeekable else { return EditList() }
        if isMP4 { return try EditList(of: unsafe UInt32(truncatingIfNeeded: stream.pointee.id), in: reader) }
        guard isMatroska else { return EditList() }
        return EditList(
            try OrderedChapters(in: reader), timeBase: timeBase, end: declaredEnd, tolerance: nominalFrameDuration)
    }
}
