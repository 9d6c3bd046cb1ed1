import CFFmpeg

/// What the packets of a codec tell of losses that its decoder doesn't notice.
protocol LossDetector {
    /// To be asked of each packet in decoding order.
    ///
    /// - Returns: Whether bytes of its picture were lost, or a picture that its own may be predicted from.
    mutating func isSpoilt(_ packet: Packet) -> Bool

    /// Whether only the packet that follows tells it of the last one, which is then marked.
    var isUndecided: Bool { get }

    /// The packets that follow are not those that follow the last one.
    mutating func restart()
}

extension LossDetector {
    var isUndecided: Bool { false }
}

enum LossDetection {
    /// - Returns: `nil` for codecs whose packets tell nothing, or whose decoders notice.
    static func of(_ stream: UnsafePointer<AVStream>) -> (any LossDetector)? {
        guard let parameters = unsafe stream.pointee.codecpar else { return nil }
        let configuration = unsafe Array(
            UnsafeBufferPointer(
                start: parameters.pointee.extradata, count: Int(max(parameters.pointee.extradata_size, 0))))
        return switch unsafe parameters.pointee.codec_id {
        case AV_CODEC_ID_H264: AVCFrameNumbers(configuration: configuration)
        case AV_CODEC_ID_HEVC: HEVCPictureHashes(NALUnits(hevcConfiguration: configuration))
        case AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO: TemporalReferences(configuration: configuration)
        case AV_CODEC_ID_VP8, AV_CODEC_ID_VP9: Holes(in: nil)
        default: nil
        }
    }
}
