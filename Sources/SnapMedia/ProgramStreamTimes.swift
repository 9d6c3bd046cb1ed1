import CFFmpeg

/// The times of pictures of a program stream whose packets begin anywhere in a picture.
///
/// A time is of the first picture that begins in its packet (ITU-T H.222.0, 2.4.3.7). libavformat's parser gives it to others
/// (`ff_fetch_timestamp`): behind a jump, to the rest of the picture into which it led; and to a picture of which only the
/// first bytes lie in the packet before.
struct ProgramStreamTimes {
    private enum Syntax { case h264, hevc }

    private let syntax: Syntax
    private var isBehindJump = false
    /// What was given to the rest of a picture, for the one that begins behind it.
    private var carried: (presentation: Int64?, decoding: Int64?)?
    /// Whether only the packet that follows the last one tells whose its time is.
    private(set) var isUndecided = false

    /// - Returns: `nil` for other containers, and for codecs whose parsers find times by themselves.
    init?(of stream: UnsafePointer<AVStream>, formatNames: Set<String>) {
        guard formatNames.contains("mpeg"), let parameters = unsafe stream.pointee.codecpar else { return nil }
        switch unsafe parameters.pointee.codec_id {
        case AV_CODEC_ID_H264: syntax = .h264
        case AV_CODEC_ID_HEVC: syntax = .hevc
        default: return nil
        }
    }

    mutating func jumped() {
        isBehindJump = true
        carried = nil
        isUndecided = false
    }

    /// To be asked of each packet in decoding order.
    ///
    /// - Returns: Whether it holds the rest of a picture that begins before a jump, so that nothing can be made of it.
    mutating func isRest(_ packet: Packet) -> Bool {
        if isBehindJump {
            let start = firstPicture(in: packet)
            if start != .atOnce {
                // Of two pictures in one packet, the time is that of the second.
                carried = start == .behindRest ? nil : (packet.presentation, packet.decoding)
                return true
            }
            if let carried { (packet.presentation, packet.decoding) = carried }
            (isBehindJump, carried) = (false, nil)
        }
        isUndecided = packet.presentation != nil
        return false
    }

    /// Takes its time from a packet if it is that of the next one.
    func settle(_ packet: Packet, before next: Packet?) {
        guard let next, packet.presentation == next.presentation, packet.decoding == next.decoding else { return }
        (packet.presentation, packet.decoding) = (nil, nil)
    }

    private enum Start { case atOnce, behindRest, none }

    /// Where the first picture begins: with a slice that says that it is the first one.
    private func firstPicture(in packet: Packet) -> Start {
        packet.withBytes { bytes in
            let isFramed =
                bytes.count > 3 && bytes[0] == 0 && bytes[1] == 0 && (bytes[2] == 1 || bytes[2] == 0 && bytes[3] == 1)
            var hasRest = !isFramed
            var start = Start.none
            StartCodes.forEach(in: bytes) { place in
                let (isSlice, header) =
                    switch syntax {
                    case .h264: ([1, 2, 5].contains(bytes[place] & 31), place + 1)  // ITU-T H.264, table 7-1
                    case .hevc: (bytes[place] >> 1 & 63 < 32, place + 2)  // ITU-T H.265, table 7-1
                    }
                guard isSlice, header < bytes.count else { return true }
                if bytes[header] & 0x80 != 0 {
                    start = hasRest ? .behindRest : .atOnce
                    return false
                }
                hasRest = true
                return true
            }
            return start
        }
    }
}
