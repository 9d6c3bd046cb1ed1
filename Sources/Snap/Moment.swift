import SnapBase

/// A position in one video, resolved as far as it can be without decoding.
package struct Moment: Sendable, Hashable {
    package enum Target: Sendable, Hashable {
        /// The frame on screen at a time, from the first frame.
        case time(MediaTime)
        case frame(Int)
        case lastFrame
        case representative

        var time: MediaTime? { if case .time(let time) = self { time } else { nil } }
    }

    package let position: Position
    package let target: Target
    /// From the first frame; `nil` where no time was asked for.
    package let time: MediaTime?

    /// Whether it stands before another, so that each group of pictures is decoded once: counted frames first, for
    /// they are counted from the start; then by time.
    package static func isInDecodingOrder(_ left: Moment, _ right: Moment) -> Bool {
        switch (left.target, right.target) {
        case (.frame(let left), .frame(let right)): left < right
        case (.time(let left), .time(let right)): left < right
        default: left.target.rank < right.target.rank
        }
    }
}

extension Moment.Target {
    fileprivate var rank: Int {
        switch self {
        case .frame: 0
        case .time: 1
        case .lastFrame: 2
        case .representative: 3
        }
    }
}
