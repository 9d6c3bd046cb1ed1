/// What the segments of a stream are, told by their first bytes and never by their names.
package enum SegmentFormat: Sendable, Hashable {
    case transportStream
    case fragmentedMP4

    /// How much libavformat may read to find the streams of a transport stream.
    static let probeSize: Int64 = 65_536

    var demuxerName: String {
        switch self {
        case .transportStream: "mpegts"
        case .fragmentedMP4: "mov"
        }
    }

    /// What the name is in words.
    package var title: String {
        switch self {
        case .transportStream: "MPEG-TS"
        case .fragmentedMP4: "fMP4"
        }
    }
}

extension SegmentFormat {
    /// What the first bytes of a segment, or of its initialization section, turn out to be.
    package enum Finding: Sendable, Hashable {
        /// A format that is read, and how many bytes stand before it: some hosts dress segments as pictures.
        case format(SegmentFormat, prefix: Int)
        /// Something else, in words: `packed audio (AAC)`.
        case other(String)
        /// More bytes are needed to tell.
        case undecided
    }

    /// How many bytes are enough to tell whatever can be told.
    package static let decidingByteCount = 65_536
    private static let packetLength = 188
    private static let syncByte: UInt8 = 0x47

    /// - Parameters:
    ///   - bytes: From the start of the segment.
    ///   - isWhole: Whether there are no more.
    package static func find(in bytes: [UInt8], isWhole: Bool) -> Finding {
        if bytes.count < 8 { return isWhole ? .other(bytes.isEmpty ? "nothing" : "a few bytes") : .undecided }
        if isBox(bytes) { return .format(.fragmentedMP4, prefix: 0) }
        if let start = firstPacket(in: bytes, from: 0, upTo: 1) { return .format(.transportStream, prefix: start) }
        if let known = otherContent(bytes) { return .other(known) }
        let isPicture = bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) || bytes.starts(with: [0xFF, 0xD8, 0xFF])
        let couldBeLong = bytes[0] == syncByte || isPicture
        if couldBeLong, bytes.count < decidingByteCount, !isWhole { return .undecided }
        if isPicture {
            if let start = firstPacket(in: bytes, from: 1, upTo: bytes.count) {
                return .format(.transportStream, prefix: start)
            }
            return .other("a picture")
        }
        return .other("no segment of a kind that is known")
    }

    /// A box header of ISO/IEC 14496-12 that a segment or an initialization section can begin with.
    private static func isBox(_ bytes: [UInt8]) -> Bool {
        let types = ["ftyp", "styp", "moov", "moof", "sidx", "ssix", "emsg", "prft", "free", "skip", "mdat", "uuid"]
        return types.contains(String(decoding: bytes[4..<8], as: UTF8.self))
    }

    /// Where packets of 188 bytes begin: three in a row, or as many as there are.
    private static func firstPacket(in bytes: [UInt8], from first: Int, upTo end: Int) -> Int? {
        (first..<end).first { start in
            guard bytes[start] == syncByte, start + packetLength < bytes.count else { return false }
            return stride(from: start, to: min(bytes.count, start + 3 * packetLength), by: packetLength)
                .allSatisfy { bytes[$0] == syncByte }
        }
    }

    private static func otherContent(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: Array("ID3".utf8)) { return "packed audio" }
        if bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 { return "packed audio (AAC)" }
        if bytes[0] == 0xFF, bytes[1] & 0xE6 == 0xE2 || bytes[1] & 0xE6 == 0xE4 { return "packed audio (MPEG)" }
        if bytes[0] == 0x0B, bytes[1] == 0x77 { return "packed audio (AC-3)" }
        let text = String(decoding: bytes.prefix(64), as: UTF8.self)
        if text.hasPrefix("WEBVTT") || text.hasPrefix("\u{FEFF}WEBVTT") { return "subtitles (WebVTT)" }
        if text.hasPrefix("#EXTM3U") { return "another playlist" }
        if text.drop(while: \.isWhitespace).hasPrefix("<") { return "a web page or XML" }
        if text.drop(while: \.isWhitespace).hasPrefix("{") { return "JSON" }
        return nil
    }
}
