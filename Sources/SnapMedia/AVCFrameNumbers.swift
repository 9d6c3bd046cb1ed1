/// The numbers that H.264 gives its frames (ITU-T H.264, 7.4.3, frame_num).
///
/// Losses are not noticed where numbers go on by chance: 16 or more in a row, of a stream that has so many numbers, or a
/// group of pictures whose key frame is lost, behind one that ended with the last number.
struct AVCFrameNumbers: LossDetector {
    private var syntax: AVCSyntax
    /// That of the last reference frame; `nil` where decoding begins.
    private var last: Int?
    /// When the last key frame is shown, where a frame was lost before it: pictures that are shown before the key frame may
    /// be predicted from the lost one.
    private var incompleteKey: Int64?

    init(configuration: [UInt8]) { syntax = AVCSyntax(configuration: configuration) }

    mutating func restart() {
        last = nil
        incompleteKey = nil
    }

    mutating func isSpoilt(_ packet: Packet) -> Bool {
        if let configuration = packet.newExtradata { syntax.configure(configuration) }
        guard let slice = packet.withBytes({ syntax.firstSlice(in: $0) }) else { return false }
        let isGap = !slice.isIDR && !slice.mayFollowGap && !follows(slice)
        if slice.isReference { last = slice.startsNumbersAnew.map { $0 ? 0 : slice.number } }
        if packet.isKey {
            incompleteKey = isGap ? packet.presentation : nil
            // What is only called a key frame is predicted from others itself.
            return isGap && !slice.isIntra
        }
        if let key = incompleteKey, let time = packet.presentation, time < key { return true }
        return isGap
    }

    private func follows(_ slice: AVCSlice) -> Bool {
        guard let last else { return true }
        // Fields of a frame have one number. Some encoders count pictures only that others are predicted from.
        let mayRepeat = slice.isField || !slice.isReference
        return slice.number == (last + 1) % slice.numberCount || mayRepeat && slice.number == last
    }
}
