import CFFmpeg

/// Numbers that a codec gives its pictures, by which a lost one is noticed that others may be predicted from. Decoders put
/// another picture in its place, and say nothing.
protocol PictureNumbers {
    /// To be asked of each packet in decoding order.
    ///
    /// - Returns: Whether a picture was lost that its own may be predicted from.
    mutating func isBehindLoss(_ packet: Packet) -> Bool

    /// Whether only the packet that follows tells it of the last one, which is then marked.
    var isUndecided: Bool { get }

    /// The packets that follow are not those that follow the last one.
    mutating func restart()
}

extension PictureNumbers {
    var isUndecided: Bool { false }
}

enum PictureNumbering {
    /// - Returns: `nil` for codecs whose pictures have no numbers, or whose decoders go by them.
    static func of(_ stream: UnsafePointer<AVStream>) -> (any PictureNumbers)? {
        guard let parameters = unsafe stream.pointee.codecpar else { return nil }
        let configuration = unsafe Array(
            UnsafeBufferPointer(
                start: parameters.pointee.extradata, count: Int(max(parameters.pointee.extradata_size, 0))))
        return switch unsafe parameters.pointee.codec_id {
        case AV_CODEC_ID_H264: AVCFrameNumbers(configuration: configuration)
        case AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO: TemporalReferences(configuration: configuration)
        default: nil
        }
    }
}
