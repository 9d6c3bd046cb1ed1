import CFFmpeg
import SnapBase

/// What a ``TimeIndex`` is made from, and how it is used.
extension Demuxer {
    /// How a container is brought to a key frame whose place is known.
    private enum Addressing {
        /// By its place in the file: reading begins anywhere.
        case bytes
        /// By libavformat's list of key frames, to which known ones are added.
        case list
    }

    /// `nil` for containers that have an index of their own, and others.
    private var addressing: Addressing? {
        if segments != nil || !reader.isSeekable || reader.size() == nil { return nil }
        // Not program streams and raw MPEG video: what libavformat says of their packets' times depends on where reading
        // began.
        if !formatNames.isDisjoint(with: ["mpegts", "h264", "hevc"]) { return .bytes }
        return formatNames.contains("matroska") ? .list : nil
    }

    /// Tells the indexer what was opened, and the container what is known of it.
    func beginIndex() {
        guard let indexer else { return }
        let addressing = addressing
        let name = formatNames.sorted().joined(separator: ",")
        let codec = unsafe stream.pointee.codecpar.map { unsafe Int64($0.pointee.codec_id.rawValue) } ?? 0
        indexer.begin(
            addressing == nil ? nil : TimeIndex.Stream(container: name, codec: codec, timeBase: timeBase))
        guard addressing == .list else { return }
        for key in indexer.index?.keys ?? [] {
            unsafe av_add_index_entry(stream, key.offset, key.presentation, 0, 0, AVINDEX_KEYFRAME)
        }
    }

    func tell(_ indexer: TimeIndexer, of packet: Packet) {
        let isListed = addressing == .list
        if isListed, packet.isKey {
            guard let time = packet.presentation, let place = listedPlace(time) else { return }
            indexer.read(packet, place: place, tellsDecodingTimes: false)
        } else {
            indexer.read(packet, place: nil, tellsDecodingTimes: !isListed && tellsDecodingTimes)
        }
    }

    private func listedPlace(_ time: Int64) -> Int64? {
        let place = unsafe av_index_search_timestamp(stream, time, AVSEEK_FLAG_BACKWARD)
        guard place >= 0, let entry = unsafe avformat_index_get_entry(stream, place) else { return nil }
        return unsafe entry.pointee.timestamp == time ? entry.pointee.pos : nil
    }

    /// Goes to where a key frame should be.
    ///
    /// - Returns: Whether the demuxer could.
    mutating func seek(to key: TimeIndex.Key) throws(MediaError) -> Bool {
        switch addressing {
        case .bytes: try seek(stream: -1, to: key.offset, AVSEEK_FLAG_BYTE)
        case .list: try seek(notAfter: key.presentation)
        case nil: false
        }
    }

    /// Tells the byte source what will be read for a time in a group of pictures.
    func announce(_ key: TimeIndex.Key, upTo target: Int64) {
        guard let next = indexer?.index?.nextOffset(behind: key), key.reach > key.presentation else { return }
        let part =
            Double(min(max(target, key.presentation), key.reach) - key.presentation)
            / Double(key.reach - key.presentation)
        // And some more: pictures are not of one size, and those that follow tell where one ends.
        let wanted = Int64(Double(next - key.offset) * part) + 131_072
        reader.willRead(key.offset..<min(key.offset + wanted, next + 65_536))
    }

    /// Takes over what libavformat walked through by itself on the way to a time; nothing where the container came with
    /// a list of its own.
    func takeWalkedKeys() {
        guard let indexer, indexer.index != nil, addressing == .list else { return }
        let count = unsafe Int(avformat_index_get_entries_count(stream))
        var keys: [TimeIndex.Key] = []
        for place in 0..<min(count, TimeIndex.mostKeys) {
            guard let entry = unsafe avformat_index_get_entry(stream, Int32(clamping: place))?.pointee,
                let time = Ticks.plausible(entry.timestamp), (0...ByteReader.lastPosition).contains(entry.pos)
            else { continue }
            if !keys.isEmpty { keys[keys.count - 1].reach = time }
            keys.append(TimeIndex.Key(offset: entry.pos, presentation: time))
        }
        // A list that grows by reading ends in the cluster behind the one that was read last.
        let unread = keys.filter { $0.presentation > indexer.latest && !indexer.knows($0.presentation) }
        if Set(unread.map(\.offset)).count > Self.mostClustersAhead { return indexer.giveUp() }
        for key in keys { indexer.learn(key) }
    }

    private static let mostClustersAhead = 4
}
