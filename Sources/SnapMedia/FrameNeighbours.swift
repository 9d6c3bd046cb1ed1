/// The frames on screen just before and after another one. An interlaced frame needs them to tell motion from detail.
package struct FrameNeighbours: ~Copyable {
    /// `nil` where there is none, or nobody looked for it.
    package var before: VideoFrame?
    package var after: VideoFrame?

    package init() {}

    init(before: consuming VideoFrame?, after: consuming VideoFrame?) {
        self.before = before
        self.after = after
    }
}
