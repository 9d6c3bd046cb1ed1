import Foundation
public import SnapBase
import Synchronization

/// A live stream whose time a test moves on: segments of one second come and go, each with 25 numbered frames.
public final class LiveStream: Sendable {
    public struct State: Sendable {
        /// Segments that exist so far.
        public var published: Int
        /// How many of them the playlist lists.
        public var window = 3
        /// Whether the playlist names a segment that the server does not have yet.
        public var listsTooEarly = false
        /// Added to media sequence numbers; a stream that begins anew counts from here.
        public var firstNumber = 0
        public var hasDates = true
        public var isEnded = false
    }

    private let segments: [[UInt8]]
    private let state: Mutex<State>
    private let servers = Mutex<[LoopbackServer]>([])
    /// The date of the first segment.
    public let start: WallClock

    /// - Parameters:
    ///   - published: Segments that exist at first, of 8.
    ///   - start: The date of the first frame.
    public init(published: Int, start: WallClock) throws {
        segments = try SegmentedClip.cut(.streamed, .transportStream, withSound: true, seconds: "1").segments
            .map(\.bytes)
        state = Mutex(State(published: published))
        self.start = start
    }

    public func change(_ change: @Sendable (inout State) -> Void) { state.withLock { change(&$0) } }

    /// The number of the last frame that exists.
    public var newest: Int { state.withLock { $0.published * 25 - 1 } }

    /// What there is under a path of ``server()``.
    private func resource(_ path: String) -> LoopbackResource? {
        let state = state.withLock { $0 }
        if path == "/live.m3u8" { return LoopbackResource(Array(playlist(state).utf8)) }
        guard let index = Int(path.dropFirst(2).prefix { $0 != "." }), segments.indices.contains(index) else {
            return nil
        }
        let isThere = (state.published - state.window..<state.published).contains(index)
        return isThere ? LoopbackResource(segments[index]) : nil
    }

    private func playlist(_ state: State) -> String {
        let end = state.published + (state.listsTooEarly ? 1 : 0)
        let first = max(end - state.window, 0)
        var lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:1", "#EXT-X-MEDIA-SEQUENCE:\(first + state.firstNumber)"]
        for index in first..<end {
            if state.hasDates {
                lines.append("#EXT-X-PROGRAM-DATE-TIME:\(start + MediaTime(seconds: Int64(index)))")
            }
            lines += ["#EXTINF:1.000000,", "s\(index).ts"]
        }
        if state.isEnded { lines.append("#EXT-X-ENDLIST") }
        return lines.joined(separator: "\n")
    }

    /// Serves the stream as `/live.m3u8`, for as long as there is the stream.
    public func server() throws -> LoopbackServer {
        let server = try LoopbackServer { [weak self] path in self?.resource(path) }
        servers.withLock { $0.append(server) }
        return server
    }
}
