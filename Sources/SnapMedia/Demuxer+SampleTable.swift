import CFFmpeg

/// What an MP4 tells of its frames before any of them is read.
extension Demuxer {
    /// Whether the container lists every packet before the first one is read, as MP4 does. Other indexes have gaps.
    var hasSampleTable: Bool { unsafe isMP4 && segments == nil && avformat_index_get_entries_count(stream) > 0 }

    /// When the last packet that the container lists is decoded; `nil` without such a list.
    var sampleTableEnd: Int64? {
        guard hasSampleTable else { return nil }
        return entry(unsafe Int(avformat_index_get_entries_count(stream)) - 1).flatMap { Ticks.plausible($0.timestamp) }
    }

    /// Whether the source holds less than its container says: packets that are listed behind the last one, or bytes.
    ///
    /// - Parameter decoding: When the last packet is decoded that was read; `nil` where that is not known.
    func endsEarly(behind decoding: Int64?) -> Bool {
        if let listed = sampleTableEnd { return decoding.map { listed > $0 } ?? false }
        return isCutShort
    }

    /// Whether the source is shorter than its container begins by saying.
    var isCutShort: Bool { declaredSize.flatMap { declared in reader.size().map { $0 < declared } } ?? false }

    /// When the first frame comes on screen, without reading it; `nil` where the list leaves a doubt: where the first
    /// packet is no key frame, an edit list hides some, or one that follows is shown before it.
    func listedOrigin() throws(MediaError) -> Int64? {
        guard hasSampleTable, !namesOtherFile, reader.isSeekable,
            let start = unsafe Ticks.plausible(stream.pointee.start_time), let first = entry(0),
            first.flags & AVINDEX_KEYFRAME != 0,
            unsafe Int64(avformat_index_get_entries_count(stream)) == stream.pointee.nb_frames
        else { return nil }
        // Those decoded before it is shown.
        var early: [AVIndexEntry] = []
        while early.count < Self.mostEarly, let entry = entry(early.count), entry.timestamp <= start {
            if entry.flags & AVINDEX_DISCARD_FRAME != 0 { return nil }
            early.append(entry)
        }
        if early.count == Self.mostEarly { return nil }
        let track = unsafe UInt32(truncatingIfNeeded: stream.pointee.id)
        guard let offsets = try CompositionOffsets.first(early.count, in: reader, track: track),
            offsets.count == early.count
        else { return nil }
        let times = zip(early, offsets).map { Ticks.clamped($0.timestamp) + $1 }
        return times.min() == times.first ? start : nil
    }

    /// More frames than any codec reorders.
    private static let mostEarly = 64

    /// Which group of pictures the frame at a time belongs to, by the place of its key frame in the list; `nil` without such
    /// a list. Frames that are shown long after they are decoded may be told to be of the group before.
    func listedGroup(at time: Int64) -> Int? {
        guard hasSampleTable else { return nil }
        let key = unsafe Int(av_index_search_timestamp(stream, time, AVSEEK_FLAG_BACKWARD))
        return key >= 0 ? key : nil
    }

    /// Tells the byte source what will be read to get from the key frame before a time to the packets of another one.
    ///
    /// - Parameter target: `nil` for that key frame alone.
    func announce(from anchor: Int64, to target: Int64?) {
        guard hasSampleTable else { return }
        let key = unsafe Int(av_index_search_timestamp(stream, anchor, AVSEEK_FLAG_BACKWARD))
        let anyBefore = AVSEEK_FLAG_BACKWARD | AVSEEK_FLAG_ANY
        let last = target.map { unsafe Int(av_index_search_timestamp(stream, $0, anyBefore)) } ?? key
        guard key >= 0, last >= key else { return }
        var range: Range<Int64>?
        // And the one behind, which tells that nothing else is shown before.
        for index in key...min(last + 1, key + Self.mostAnnounced) {
            guard let entry = entry(index), (0...ByteReader.lastPosition).contains(entry.pos), entry.size > 0 else {
                continue
            }
            let (start, end) = (entry.pos, entry.pos + Int64(entry.size))
            range = min(range?.lowerBound ?? start, start)..<max(range?.upperBound ?? end, end)
        }
        if let range { reader.willRead(range) }
    }

    private static let mostAnnounced = 1000

    /// Whether the source ends before the key frame that is listed for a time.
    func lacksKey(notAfter ticks: Int64) -> Bool {
        guard hasSampleTable, reader.isSeekable, let size = reader.size() else { return false }
        let key = unsafe Int(av_index_search_timestamp(stream, ticks, AVSEEK_FLAG_BACKWARD))
        guard let entry = entry(key) else { return false }
        return entry.pos > size - Int64(entry.size)
    }

    /// Whether a list calls all frames key frames of a codec that leaves parts of them as they were: Apple Video and QuickTime
    /// Graphics, as FFmpeg's encoders mark them.
    static func hasFalseKeys(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        guard let codec = unsafe stream.pointee.codecpar?.pointee.codec_id,
            [AV_CODEC_ID_RPZA, AV_CODEC_ID_SMC].contains(codec)
        else { return false }
        let count = unsafe avformat_index_get_entries_count(stream)
        return count > 0
            && (0..<count).allSatisfy { index in
                let entry = unsafe avformat_index_get_entry(stream, index)
                return unsafe entry.map { unsafe $0.pointee.flags & AVINDEX_KEYFRAME != 0 } ?? false
            }
    }

    private func entry(_ index: Int) -> AVIndexEntry? {
        guard index >= 0 else { return nil }
        return unsafe avformat_index_get_entry(stream, Int32(clamping: index))?.pointee
    }
}
