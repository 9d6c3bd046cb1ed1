import Foundation
public import SnapBase
import Synchronization

/// A live stream whose time a test moves on: segments of one second come and go, each with 25 numbered frames. After
/// eight of them, the clip begins again behind a discontinuity, and so do its numbers.
public final class LiveStream: Sendable {
    public struct State: Sendable {
        /// Segments that exist so far.
        public var published: Int
        /// Parts of the segment after those that exist so far.
        public var publishedParts = 0
        /// How many segments the playlist lists.
        public var window = 3
        /// Whether the playlist names a segment that the server does not have yet.
        public var listsTooEarly = false
        /// Whether parts are listed that the server gave up.
        public var hasGivenUpParts = false
        /// Whether a request that asks for a part to come waits for it.
        public var blocks = true
        /// Added to media sequence numbers; a stream that begins anew counts from here.
        public var firstNumber = 0
        public var hasDates = true
        public var isEnded = false
        /// The status of every answer instead of what there is.
        public var failure: Int?
        /// Seconds, as the playlist has it: half of it is how often the playlist may be asked for.
        public var targetDuration = "1"
        /// Given instead of the playlist.
        public var replacement: String?
    }

    /// What is published of a second, whole or part by part.
    private struct Piece: Sendable {
        var bytes: [UInt8]
        /// Of the frame that is shown last of all so far.
        var newest: Int
        var startsWithKey: Bool
    }

    private let initialization: [UInt8]?
    private let segments: [Piece]
    /// By segment; empty for a stream without parts.
    private let parts: [[Piece]]
    private let state: Mutex<State>
    private let servers = Mutex<[LoopbackServer]>([])
    /// The date of the first segment.
    public let start: WallClock
    /// Parts to a segment, where there are any.
    public static let partsPerSegment = 5

    /// - Parameters:
    ///   - published: Segments that exist at first.
    ///   - start: The date of the first frame.
    ///   - hasParts: Whether segments are published in parts (low latency), of 0.2 s, in fragmented MP4.
    public init(published: Int, start: WallClock, hasParts: Bool = false) throws {
        state = Mutex(State(published: published))
        self.start = start
        guard hasParts else {
            let clip = try SegmentedClip.cut(.streamed, .transportStream, withSound: true, seconds: "1")
            (segments, initialization, parts) = (Self.pieces(clip), nil, [])
            return
        }
        let clip = try SegmentedClip.fragments(of: .streamed, withSound: false, seconds: 0.2)
        let pieces = Self.pieces(clip)
        initialization = clip.initialization
        parts = stride(from: 0, to: pieces.count, by: Self.partsPerSegment).map {
            Array(pieces[$0..<min($0 + Self.partsPerSegment, pieces.count)])
        }
        segments = parts.map { parts in
            Piece(
                bytes: parts.flatMap(\.bytes), newest: parts.map(\.newest).max()!,
                startsWithKey: parts[0].startsWithKey)
        }
    }

    private static func pieces(_ clip: SegmentedClip) -> [Piece] {
        let times = clip.segments.flatMap(\.packets).map(\.presentation).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: zip(times, 0...))
        return clip.segments.map { segment in
            Piece(
                bytes: segment.bytes, newest: segment.packets.compactMap { numbers[$0.presentation] }.max()!,
                startsWithKey: segment.packets[0].isKey)
        }
    }

    public func change(_ change: @Sendable (inout State) -> Void) { state.withLock { change(&$0) } }

    /// The number of the last frame that exists.
    public var newest: Int {
        let state = state.withLock { $0 }
        let whole = state.published > 0 ? piece(state.published - 1).newest : 0
        return parts(state.published).prefix(state.publishedParts).map(\.newest).max() ?? whole
    }

    private func piece(_ index: Int) -> Piece { segments[index % segments.count] }

    private func parts(_ index: Int) -> [Piece] { parts.isEmpty ? [] : parts[index % parts.count] }

    // MARK: Serving

    /// Serves the stream as `/live.m3u8`, for as long as there is the stream.
    public func server() throws -> LoopbackServer {
        let server = try LoopbackServer { [weak self] target in self?.resource(target) }
        servers.withLock { $0.append(server) }
        return server
    }

    /// What there is under a path.
    private func resource(_ target: String) -> LoopbackResource? {
        let path = target.prefix { $0 != "?" }
        if path == "/live.m3u8" { waitUntilNewer(target.dropFirst(path.count + 1)) }
        let state = state.withLock { $0 }
        if let failure = state.failure { return .status(failure) }
        if path == "/live.m3u8" { return LoopbackResource(Array((state.replacement ?? playlist(state)).utf8)) }
        if path == "/init.mp4" { return initialization.map(LoopbackResource.init) }
        let numbers = path.dropFirst(2).prefix { $0.isNumber || $0 == "-" }.split(separator: "-").map { Int($0) ?? -1 }
        guard let index = numbers.first, index >= max(state.published - state.window, 0) else { return nil }
        guard numbers.count == 2 else { return index < state.published ? LoopbackResource(piece(index).bytes) : nil }
        if state.hasGivenUpParts { return nil }
        let isThere = index < state.published || index == state.published && numbers[1] < state.publishedParts
        let pieces = parts(index)
        return isThere && pieces.indices.contains(numbers[1]) ? LoopbackResource(pieces[numbers[1]].bytes) : nil
    }

    /// Blocks a request for a playlist with a part that does not exist yet, for 3 s at most.
    private func waitUntilNewer(_ query: Substring) {
        var wanted: [String: Int] = [:]
        for item in query.split(separator: "&") {
            let pair = item.split(separator: "=")
            wanted[String(pair[0])] = Int(pair[1])
        }
        guard let segment = wanted["_HLS_msn"] else { return }
        for _ in 0..<300 {
            let isThere = state.withLock { state in
                let published = state.published + state.firstNumber
                return !state.blocks || published > segment
                    || published == segment && state.publishedParts > wanted["_HLS_part"] ?? .max
            }
            if isThere { return }
            Thread.sleep(forTimeInterval: 0.01)
        }
    }

    private func playlist(_ state: State) -> String {
        let end = state.published + (state.listsTooEarly ? 1 : 0)
        let first = max(end - state.window, 0)
        var lines = [
            "#EXTM3U", "#EXT-X-TARGETDURATION:\(state.targetDuration)",
            "#EXT-X-MEDIA-SEQUENCE:\(first + state.firstNumber)",
            "#EXT-X-DISCONTINUITY-SEQUENCE:\(first / segments.count)",
        ]
        if !parts.isEmpty {
            lines += [
                "#EXT-X-PART-INF:PART-TARGET=0.2",
                "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=0.6", "#EXT-X-MAP:URI=\"init.mp4\"",
            ]
        }
        for index in first..<end + (state.publishedParts > 0 ? 1 : 0) {
            if index > first, index % segments.count == 0 { lines.append("#EXT-X-DISCONTINUITY") }
            if state.hasDates {
                lines.append("#EXT-X-PROGRAM-DATE-TIME:\(start + MediaTime(seconds: Int64(index)))")
            }
            // Parts of old segments are no longer listed.
            let count = index == end ? state.publishedParts : index > end - 3 ? Self.partsPerSegment : 0
            for (number, part) in parts(index).prefix(count).enumerated() {
                let independent = part.startsWithKey ? ",INDEPENDENT=YES" : ""
                lines.append("#EXT-X-PART:DURATION=0.2,URI=\"p\(index)-\(number).m4s\"\(independent)")
            }
            if index < end { lines += ["#EXTINF:1.000000,", parts.isEmpty ? "s\(index).ts" : "s\(index).m4s"] }
        }
        if state.isEnded { lines.append("#EXT-X-ENDLIST") }
        return lines.joined(separator: "\n")
    }
}
