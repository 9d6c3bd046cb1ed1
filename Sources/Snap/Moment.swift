import SnapBase

/// A position in one video, resolved as far as it can be without decoding.
package struct Moment: Sendable, Hashable {
    package enum Target: Sendable, Hashable {
        /// The frame on screen at a tick of the stream.
        case tick(Int64)
        case frame(Int)
        case lastFrame
        case representative
    }

    package let position: Position
    package let target: Target
    /// From the first frame; `nil` where no time was asked for.
    package let time: MediaTime?

    /// Where it stands among others, so that each group of pictures is decoded once: counted frames first, for they
    /// are counted from the start; then by time.
    package var order: (Int, Int64) {
        switch target {
        case .frame(let number): (0, Int64(number))
        case .tick(let tick): (1, tick)
        case .lastFrame: (2, 0)
        case .representative: (3, 0)
        }
    }

    var tick: Int64? {
        if case .tick(let tick) = target { tick } else { nil }
    }
}
