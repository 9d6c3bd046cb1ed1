import SnapBase

/// The tags of media playlists.
extension PlaylistParser {
    /// Returns whether it was one of them.
    mutating func takeMedia(_ tag: String, _ value: ArraySlice<UInt8>, _ line: Int) throws(PlaylistError) -> Bool {
        switch tag {
        case "EXTINF": pending.duration = try duration(value, line)
        case "EXT-X-BYTERANGE": pending.byteRange = try range(String(decoding: value, as: UTF8.self), line)
        case "EXT-X-DISCONTINUITY": domain += 1
        case "EXT-X-GAP": pending.isGap = true
        case "EXT-X-PROGRAM-DATE-TIME":
            // Only times of day depend on it; one that can't be read is as good as none.
            pending.programDate = WallClock(String(decoding: value, as: UTF8.self).trimmed)
        case "EXT-X-BITRATE": bitrate = Int(String(decoding: value, as: UTF8.self).trimmed)
        case "EXT-X-KEY": try takeKey(try attributes(value, line), line)
        case "EXT-X-MAP": try takeMap(try attributes(value, line), line)
        case "EXT-X-PART": try takePart(try attributes(value, line), line)
        default: return try takeWhole(tag, value, line)
        }
        return true
    }

    /// Tags about the whole playlist.
    private mutating func takeWhole(
        _ tag: String, _ value: ArraySlice<UInt8>, _ line: Int
    ) throws(PlaylistError) -> Bool {
        switch tag {
        case "EXT-X-TARGETDURATION":
            guard let time = MediaTime(decimal: String(decoding: value, as: UTF8.self).trimmed), time >= .zero else {
                throw malformed(line, "EXT-X-TARGETDURATION has no number")
            }
            media.targetDuration = time
        case "EXT-X-MEDIA-SEQUENCE":
            guard media.segments.isEmpty else {
                throw malformed(line, "\(tag) behind the first segment: their numbers, and keys by them, are not sure")
            }
            media.mediaSequence = try number(value, of: tag, line)
        case "EXT-X-DISCONTINUITY-SEQUENCE":
            // Far more than any stream counts, and far from where numbers end.
            let first = min(try number(value, of: tag, line), 1 << 48)
            if media.segments.isEmpty { domain = Int(first) }
        case "EXT-X-ENDLIST": media.isEnded = true
        case "EXT-X-PLAYLIST-TYPE":
            media.kind = MediaPlaylist.Kind(rawValue: String(decoding: value, as: UTF8.self).trimmed)
        case "EXT-X-I-FRAMES-ONLY": media.isIFramesOnly = true
        case "EXT-X-PART-INF": media.partTarget = try attributes(value, line).seconds("PART-TARGET")
        case "EXT-X-SERVER-CONTROL":
            let attributes = try attributes(value, line)
            media.serverControl.canBlockReload = attributes.isYes("CAN-BLOCK-RELOAD")
            media.serverControl.holdBack = attributes.seconds("HOLD-BACK")
            media.serverControl.partHoldBack = attributes.seconds("PART-HOLD-BACK")
        case "EXT-X-SKIP":
            throw PlaylistError(
                .unsupported, line: line, "segments are left out (EXT-X-SKIP), though only a whole list was asked for")
        case "EXT-X-PRELOAD-HINT", "EXT-X-RENDITION-REPORT", "EXT-X-DATERANGE", "EXT-X-ALLOW-CACHE": break
        default: return false
        }
        return true
    }

    // MARK: Segments

    mutating func takeSegment(_ uri: String, _ line: Int) throws(PlaylistError) {
        let waiting = pending
        pending = PendingSegment()
        guard let duration = waiting.duration else {
            throw malformed(line, "a segment without EXTINF: how long it is would have to be guessed")
        }
        guard media.segments.count < context.limits.segments else {
            throw PlaylistError(.tooLarge, line: line, "more than \(context.limits.segments) segments")
        }
        let (sequence, isTooHigh) = media.mediaSequence.addingReportingOverflow(UInt64(media.segments.count))
        if isTooHigh { throw malformed(line, "the media sequence number passes 64 bits") }
        var segment = Segment(
            uri: uri, duration: duration, start: nextStart, sequence: sequence, domain: domain, map: map, keys: keys,
            line: line)
        if let range = waiting.byteRange { segment.byteRange = try resolved(range, of: uri, &lastRange, line) }
        segment.isGap = waiting.isGap
        segment.programDate = waiting.programDate
        segment.bitrate = segment.byteRange == nil ? bitrate : nil
        segment.parts = waiting.parts
        media.segments.append(segment)
        nextStart = nextStart + duration
    }

    /// What was said of a segment that has no URI yet.
    mutating func appendIncomplete() {
        guard let last = pending.parts.last, !media.isEnded, keys.isEmpty,
            media.mediaSequence <= .max - UInt64(media.segments.count)
        else { return }
        var segment = Segment(
            uri: "", duration: .zero, start: nextStart, sequence: media.mediaSequence + UInt64(media.segments.count),
            domain: domain, map: map, keys: [], line: last.line)
        segment.programDate = pending.programDate
        segment.parts = pending.parts
        let pieces = segment.partialPieces
        segment.isGap = pieces.isEmpty
        segment.duration = pieces.reduce(.zero) { $0 + $1.duration }
        media.segments.append(segment)
    }

    private mutating func takePart(_ attributes: AttributeList, _ line: Int) throws(PlaylistError) {
        let uri = try checked(try attributes.required("URI", of: "EXT-X-PART"), line)
        guard let duration = attributes.seconds("DURATION"), duration >= .zero else {
            throw malformed(line, "EXT-X-PART lacks DURATION")
        }
        var part = PartialSegment(
            uri: uri, duration: duration, isIndependent: attributes.isYes("INDEPENDENT"),
            isGap: attributes.isYes("GAP"), line: line)
        if let text = attributes["BYTERANGE"] {
            part.byteRange = try resolved(try range(text, line), of: uri, &lastPartRange, line)
        }
        guard pending.parts.count < 1000 else { throw PlaylistError(.tooLarge, line: line, "more than 1000 parts") }
        pending.parts.append(part)
    }

    private mutating func takeMap(_ attributes: AttributeList, _ line: Int) throws(PlaylistError) {
        let uri = try checked(try attributes.required("URI", of: "EXT-X-MAP"), line)
        var map = InitializationSection(uri: uri, keys: keys)
        if let text = attributes["BYTERANGE"] {
            let range = try range(text, line)
            map.byteRange = ByteRange(offset: range.offset ?? 0, length: range.length)
        }
        self.map = map
    }

    private mutating func takeKey(_ attributes: AttributeList, _ line: Int) throws(PlaylistError) {
        let method = try attributes.required("METHOD", of: "EXT-X-KEY")
        if method == "NONE" {
            keys = []
            return
        }
        let key = try key(method, attributes, line)
        // Of one format, the last counts; others are alternatives to it.
        keys.removeAll { $0.format == key.format }
        guard keys.count < 16 else { throw malformed(line, "more than 16 key formats") }
        keys.append(key)
    }

    func key(_ method: String, _ attributes: AttributeList, _ line: Int) throws(PlaylistError) -> Key {
        let reference = attributes["URI"]
        var address: String?
        if let reference, !reference.isEmpty { address = try checked(reference, line) }
        if method == "AES-128", address == nil { throw malformed(line, "a key lacks its URI") }
        return Key(
            method: method == "AES-128" ? .aes128 : .other(method), uri: address,
            initializationVector: try attributes.bytes("IV", count: 16),
            format: attributes["KEYFORMAT"]?.lowercased() ?? "identity")
    }

    // MARK: Numbers

    private func duration(_ value: ArraySlice<UInt8>, _ line: Int) throws(PlaylistError) -> MediaTime {
        let text = String(decoding: value.prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self).trimmed
        guard let time = MediaTime(decimal: text) else { throw malformed(line, "EXTINF has no number") }
        // -1 is what lists of radio stations have.
        guard time >= .zero else { throw malformed(line, "EXTINF is negative: this is no list of media segments") }
        return time
    }

    private func number(_ value: ArraySlice<UInt8>, of tag: String, _ line: Int) throws(PlaylistError) -> UInt64 {
        guard let number = UInt64(String(decoding: value, as: UTF8.self).trimmed) else {
            throw malformed(line, "\(tag) has no number")
        }
        return number
    }

    /// `length[@offset]`
    private func range(_ text: String, _ line: Int) throws(PlaylistError) -> (length: Int64, offset: Int64?) {
        let parts = text.trimmed.split(separator: "@", omittingEmptySubsequences: false).map { Int64($0) }
        guard (1...2).contains(parts.count), let length = parts[0], length > 0, length < 1 << 50,
            parts.count == 1 || parts[1].map({ (0..<1 << 60).contains($0) }) ?? false
        else { throw malformed(line, "'\(text)' is no byte range") }
        return (length, parts.count == 2 ? parts[1] : nil)
    }

    /// Without an offset, a range follows the one before it in the same resource.
    private func resolved(
        _ range: (length: Int64, offset: Int64?), of uri: String, _ last: inout (uri: String, end: Int64)?, _ line: Int
    ) throws(PlaylistError) -> ByteRange {
        guard let offset = range.offset ?? (last?.uri == uri ? last?.end : nil) else {
            throw malformed(line, "a byte range without offset that follows no other of the same file")
        }
        last = (uri, offset + range.length)
        return ByteRange(offset: offset, length: range.length)
    }
}
