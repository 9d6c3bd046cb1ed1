import Foundation
public import SnapBase

/// An HLS stream with known frames: its files, and which number is on screen at which time.
public struct StreamCase: Sendable, CustomStringConvertible {
    public let name: String
    /// By name, playlists included.
    public internal(set) var files: [String: [UInt8]] = [:]
    /// The playlist to open.
    public internal(set) var entry: String
    public internal(set) var segments: [Segment] = []

    public struct Segment: Sendable {
        /// The sum of the durations before it.
        public let start: MediaTime
        public let duration: MediaTime
        let domain: Int
        let map: Int
        /// What a request for it gets: false for a gap, and for a file that is not there.
        public let isAvailable: Bool
        /// In decoding order: when each frame is presented, on the clock of its domain, and its number.
        let frames: [(time: MediaTime, number: Int)]
        var anchor: MediaTime { frames[0].time }
    }

    /// What a request for a time must get.
    public enum Answer: Sendable, Equatable {
        case frame(Int)
        case failure
    }

    public var description: String { name }
    public var duration: MediaTime { segments.last.map { $0.start + $0.duration } ?? .zero }

    /// The frame on screen at a time: reckoned from the segments' own timestamps, each segment beginning where the
    /// durations before it end.
    public func answer(at time: MediaTime) -> Answer {
        let slack = MediaTime(1, over: 1000)!
        let index = segments.lastIndex { $0.start <= time + slack } ?? 0
        let segment = segments[index]
        guard segment.isAvailable else { return .failure }
        let target = segment.anchor + max(time - segment.start, .zero)
        let next = index + 1 < segments.count ? segments[index + 1] : nil
        let isContinued = next?.domain == segment.domain && next?.map == segment.map
        let all = segments.filter { $0.domain == segment.domain && $0.map == segment.map && $0.isAvailable }
            .flatMap(\.frames).sorted { $0.time < $1.time }
        let due = all.last { frame in
            frame.time <= target && !(isContinued && frame.time >= next!.anchor)
        }
        return (due ?? all.first).map { .frame($0.number) } ?? .failure
    }

    /// Times worth asking for: the start, inside, each boundary, a frame before it, the last frame, past the end.
    public var questions: [MediaTime] {
        let tick = MediaTime(1, over: 90_000)!
        let frame = MediaTime(1, over: 25)!
        var times = [MediaTime.zero, MediaTime(1, over: 3)!]
        for segment in segments {
            times += [
                segment.start, segment.start - tick, segment.start - frame,
                segment.start + segment.duration.scaled(by: 1, over: 2),
                segment.start + segment.duration.scaled(by: 7, over: 9),
            ]
        }
        times += [duration - frame, duration - tick, duration + MediaTime(seconds: 30)]
        return Array(Set(times.map { max($0, .zero) })).sorted()
    }

    /// Writes the files to a folder and returns the path of the playlist.
    public func write(to folder: String) throws -> String {
        for (name, bytes) in files {
            try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
        }
        return folder + "/" + entry
    }

    /// The same for a server, under `/stream/`.
    public var resources: [String: LoopbackResource] {
        Dictionary(uniqueKeysWithValues: files.map { ("/stream/" + $0, LoopbackResource($1)) })
    }
}
