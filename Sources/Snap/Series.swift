public import SnapBase

/// Several pictures of a video, or of a part of it.
public struct Series: Sendable, Hashable {
    public enum Spacing: Sendable, Hashable {
        /// One every so often, the first at the start of the range.
        case every(MediaTime)
        /// So many, each in the middle of one of as many equal parts of the range.
        case count(Int)
        /// So many telling ones that differ from each other, by their looks; fewer where fewer differ. Candidates are
        /// three times as many key frames at equal distances, and frames between them where those are few. What can't
        /// be decoded is passed over.
        case distinct(Int)
    }

    /// The most pictures of a series: 100,000.
    public static let longest = 100_000
    /// The most pictures that are chosen for being distinct: 100.
    public static let mostDistinct = 100

    public var spacing: Spacing
    /// Where the range begins. Default: the first frame.
    public var from: Position
    /// Where it ends; a picture at the very end is left out. Default: the end of the last frame.
    public var to: Position
    /// The most pictures that are taken, from the first on; 1 or more. Default: `nil`, which means all, up to ``longest``.
    public var limit: Int?

    public init(_ spacing: Spacing, from: Position = .start, to: Position = .percent(100), limit: Int? = nil) {
        self.spacing = spacing
        self.from = from
        self.to = to
        self.limit = limit
    }
}

extension VideoReader {
    package func positions(_ series: Series, for wishes: SnapshotOptions = SnapshotOptions()) throws(SnapError)
        -> [Position]
    {
        let length = try length(for: wishes)
        let start = try edge(series.from, length, wishes)
        let end = min(try edge(series.to, length, wishes), length)
        guard start < end else {
            throw SnapError(
                .usage, source: name,
                "the range from \(series.from) to \(series.to) is empty: the video is \(length.decimalSeconds) s long")
        }
        guard series.limit ?? 1 > 0 else {
            throw SnapError(.usage, source: name, "the most pictures of a series must be 1 or more")
        }
        switch series.spacing {
        case .every(let distance):
            guard distance > .zero else {
                throw SnapError(.usage, source: name, "the distance between pictures must be more than 0")
            }
            var times: [Position] = []
            var time = start
            while time < end, times.count < series.limit ?? .max {
                guard times.count < Series.longest else {
                    throw SnapError(
                        .usage, source: name,
                        "more than \(Series.longest) pictures: take a longer distance than \(distance)")
                }
                times.append(.time(time))
                time = time + distance
            }
            return times
        case .count(let count):
            guard (1...Series.longest).contains(count) else {
                throw SnapError(.usage, source: name, "the number of pictures must be from 1 to \(Series.longest)")
            }
            return (0..<Int64(min(count, series.limit ?? count))).map { part in
                .time(start + (end - start).scaled(by: 2 * part + 1, over: 2 * Int64(count)))
            }
        case .distinct(let count):
            guard (1...Series.mostDistinct).contains(count) else {
                throw SnapError(
                    .usage, source: name, "the number of distinct pictures must be from 1 to \(Series.mostDistinct)")
            }
            let times = try distinctTimes(count, from: start, to: end, wishes)
            return times.prefix(series.limit ?? count).map { .time($0) }
        }
    }

    private func edge(
        _ position: Position, _ length: MediaTime, _ wishes: SnapshotOptions
    ) throws(SnapError) -> MediaTime {
        switch position {
        case .end: return length
        case .frame, .representative, .live:
            throw SnapError(
                .usage, source: name, "'\(position)' can't begin or end a range: write a time, a percentage or end")
        default: return try moment(position, for: wishes).time ?? .zero
        }
    }
}
