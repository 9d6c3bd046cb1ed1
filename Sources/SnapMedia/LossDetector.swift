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
    /// - Returns: None for codecs whose packets tell nothing, or whose decoders notice.
    static func detectors(for stream: UnsafePointer<AVStream>) -> [any LossDetector] {
        guard let parameters = unsafe stream.pointee.codecpar else { return [] }
        let configuration = unsafe parameters.pointee.configuration
        switch unsafe parameters.pointee.codec_id {
        case AV_CODEC_ID_H264:
            let units = NALUnits(avcConfiguration: configuration)
            return [AVCFrameNumbers(configuration: configuration), Holes(in: units)]
        case AV_CODEC_ID_HEVC:
            let units = NALUnits(hevcConfiguration: configuration)
            return [HEVCPictureHashes(units), Holes(in: units)]
        case AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO: return [TemporalReferences(configuration: configuration)]
        default: return []
        }
    }
}
