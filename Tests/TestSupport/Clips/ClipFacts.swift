public import SnapBase

/// What is known of a clip, because it was made so. The tests of this module hold each fact against `ffprobe`.
public struct ClipFacts: Sendable {
    /// Columns of the frames as they are stored, after cropping, before turning and stretching.
    public var width = 192
    public var height = 108
    /// The shape of a pixel, width to height; (1, 1) also where the file says nothing.
    public var sampleAspectRatio: (width: Int, height: Int) = (1, 1)
    /// What a player does to the frames so that they are upright. The numbers lie turned the other way in the file.
    public var turn = Turn.none
    /// The unit of ``ticks``.
    public var timeBase: TimeBase
    /// The presentation time of each frame, in presentation order; empty where the file has none.
    public var ticks: [Int64]
    /// The number that each frame shows, in presentation order.
    public var numbers: [Int]

    public var frameCount: Int { numbers.count }

    /// When a frame is presented, from the presentation of the first one.
    public func time(ofFrame index: Int) -> MediaTime {
        MediaTime(ticks: ticks[index] - ticks[0], timeBase: timeBase)
    }

    /// The number of the frame on screen at a time: the last frame that is not after it, or the first one.
    public func number(shownAt time: MediaTime) -> Int {
        let index = ticks.indices.last { self.time(ofFrame: $0) <= time } ?? 0
        return numbers[index]
    }

    /// Frames at equal distances.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - base: Ticks in a second.
    ///   - start: Ticks before the first one.
    ///   - step: Ticks from one to the next.
    ///   - first: The number on the first one.
    static func steady(
        _ count: Int = 60, per base: Int32, from start: Int64 = 0, step: Int64, first: Int = 0
    ) -> ClipFacts {
        ClipFacts(
            timeBase: TimeBase(1, over: base)!, ticks: (0..<count).map { start + Int64($0) * step },
            numbers: Array(first..<first + count))
    }

    /// Frames at given times.
    static func listed(_ ticks: [Int64], per base: Int32, numbers: [Int]? = nil) -> ClipFacts {
        ClipFacts(timeBase: TimeBase(1, over: base)!, ticks: ticks, numbers: numbers ?? Array(ticks.indices))
    }

    /// Frames whose times the file does not hold, or holds in a way of its own.
    static func untimed(_ count: Int, first: Int = 0) -> ClipFacts {
        ClipFacts(timeBase: TimeBase(1, over: 25)!, ticks: [], numbers: Array(first..<first + count))
    }

    /// Nothing to be seen.
    static let nothing = untimed(0)

    func sized(_ width: Int, _ height: Int) -> ClipFacts { with { ($0.width, $0.height) = (width, height) } }

    func stretched(_ width: Int, _ height: Int) -> ClipFacts { with { $0.sampleAspectRatio = (width, height) } }

    func turned(_ turn: Turn) -> ClipFacts {
        with {
            $0.turn = turn
            ($0.width, $0.height) = turn.size(width: width, height: height)
        }
    }

    private func with(_ change: (inout ClipFacts) -> Void) -> ClipFacts {
        var copy = self
        change(&copy)
        return copy
    }
}
