/// A frame that waits in an array, which can't hold what can't be copied.
final class HeldFrame {
    var frame: VideoFrame?
    let presentation: Int64
    let pixelAddress: UInt

    init(_ frame: consuming VideoFrame) {
        presentation = frame.presentation
        pixelAddress = frame.pixelAddress
        self.frame = consume frame
    }
}
