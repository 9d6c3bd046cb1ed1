import SnapBase

/// Takes a playlist line by line. What tags say of the segment to come waits here until its URI does.
struct PlaylistParser {
    let context: PlaylistContext
    var variables: Variables
    var media = MediaPlaylist()
    var multivariant = MultivariantPlaylist()
    /// The lines on which tags of one kind of playlist first stood.
    var firstMediaLine: Int?
    var firstMultivariantLine: Int?

    var pending = PendingSegment()
    /// A variant whose URI comes next.
    var pendingVariant: Variant?
    /// In force until they are replaced, by key format.
    var keys: [Key] = []
    var map: InitializationSection?
    var bitrate: Int?
    var domain = 0
    var nextStart = MediaTime.zero
    /// Where the last byte range ended, and of which resource it was.
    var lastRange: (uri: String, end: Int64)?
    var lastPartRange: (uri: String, end: Int64)?

    /// What was said of the next segment.
    struct PendingSegment {
        var duration: MediaTime?
        var byteRange: (length: Int64, offset: Int64?)?
        var isGap = false
        var programDate: WallClock?
        var parts: [PartialSegment] = []
    }

    init(_ context: PlaylistContext) {
        self.context = context
        variables = Variables(context)
    }

    mutating func take(_ line: ArraySlice<UInt8>, number: Int) throws(PlaylistError) {
        guard let first = line.first else { return }
        guard first == UInt8(ascii: "#") else { return try takeURI(line, number) }
        guard line.starts(with: "#EXT".utf8) else { return }
        let name = line.dropFirst().prefix { $0 != UInt8(ascii: ":") }
        let value = line.dropFirst(name.count + 2)
        let tag = String(decoding: name, as: UTF8.self)
        if try takeCommon(tag, value, number) { return }
        if try takeMultivariant(tag, value, number) {
            firstMultivariantLine = firstMultivariantLine ?? number
        } else if try takeMedia(tag, value, number) {
            firstMediaLine = firstMediaLine ?? number
        }
        guard let first = firstMediaLine, let other = firstMultivariantLine else { return }
        throw PlaylistError(
            .malformed, line: max(first, other), "the playlist names both variants and segments, which none may")
    }

    /// Tags that both kinds of playlist have. Returns whether it was one.
    private mutating func takeCommon(
        _ tag: String, _ value: ArraySlice<UInt8>, _ line: Int
    ) throws(PlaylistError) -> Bool {
        switch tag {
        case "EXTM3U": break
        case "EXT-X-VERSION": media.version = Int(String(decoding: value, as: UTF8.self)) ?? media.version
        case "EXT-X-INDEPENDENT-SEGMENTS":
            media.hasIndependentSegments = true
            multivariant.hasIndependentSegments = true
        case "EXT-X-DEFINE": try variables.define(try attributes(value, line), line: line)
        case "EXT-X-START": media.startOffset = try attributes(value, line).seconds("TIME-OFFSET")
        default: return false
        }
        return true
    }

    private mutating func takeURI(_ line: ArraySlice<UInt8>, _ number: Int) throws(PlaylistError) {
        let uri = try checked(try variables.substituted(String(decoding: line, as: UTF8.self), line: number), number)
        if var variant = pendingVariant {
            variant.uri = uri
            multivariant.variants.append(variant)
            pendingVariant = nil
        } else if firstMultivariantLine == nil {
            firstMediaLine = firstMediaLine ?? number
            try takeSegment(uri, number)
        }
    }

    func attributes(_ value: ArraySlice<UInt8>, _ line: Int) throws(PlaylistError) -> AttributeList {
        try AttributeList(value, line: line) { text throws(PlaylistError) in
            try variables.substituted(text, line: line)
        }
    }

    func checked(_ uri: String, _ line: Int) throws(PlaylistError) -> String {
        if uri.isEmpty { throw malformed(line, "a URI is empty") }
        guard uri.utf8.count <= context.limits.uriByteCount || uri.hasPrefix("data:") else {
            throw PlaylistError(
                .tooLarge, line: line, "a URI is longer than \(context.limits.uriByteCount) bytes")
        }
        return uri
    }

    func malformed(_ line: Int, _ message: String) -> PlaylistError { PlaylistError(.malformed, line: line, message) }

    /// The playlist, once all lines were taken.
    mutating func finished(byteCount: Int) throws(PlaylistError) -> Playlist {
        if firstMultivariantLine != nil {
            guard byteCount <= context.limits.multivariantByteCount else {
                throw PlaylistError(
                    .tooLarge, "a list of variants of more than \(context.limits.multivariantByteCount) bytes")
            }
            multivariant.definitions = variables.values
            return .multivariant(multivariant)
        }
        appendIncomplete()
        media.definitions = variables.values
        if media.targetDuration == .zero { media.targetDuration = media.segments.map(\.duration).max() ?? .zero }
        return .media(media)
    }
}
