import CFFmpeg

/// Where alpha lies that is coded beside the pictures, as a second stream of pictures.
enum AlphaSource {
    /// With each block of Matroska and WebM (RFC 9559, BlockAdditions and AlphaMode), for VP8 and VP9.
    case blockAddition(AVCodecID)
    /// In the packets of H.265, where the container has the codec's headers: in MP4, QuickTime and Matroska.
    case layer(HEVCAlphaLayer)

    /// - Returns: `nil` where a stream says nothing of it.
    static func find(in stream: UnsafePointer<AVStream>) -> AlphaSource? {
        guard let parameters = unsafe stream.pointee.codecpar else { return nil }
        let codec = unsafe parameters.pointee.codec_id
        switch codec {
        case AV_CODEC_ID_HEVC:
            return unsafe HEVCAlphaLayer(configuration: parameters.pointee.configuration).map(AlphaSource.layer)
        case AV_CODEC_ID_VP8, AV_CODEC_ID_VP9:
            let mode = unsafe av_dict_get(stream.pointee.metadata, "alpha_mode", nil, 0)
            return unsafe mode.map { unsafe String(cString: $0.pointee.value) } == "1" ? .blockAddition(codec) : nil
        default: return nil
        }
    }

    /// Whether colours were multiplied by their opacity.
    var isPremultiplied: Bool {
        if case .layer(let layer) = self { layer.isPremultiplied } else { false }
    }

    /// What decoders are to be told in place of what the stream says; `nil` for nothing else.
    var configuration: (pictures: [UInt8], alpha: [UInt8])? {
        if case .layer(let layer) = self { (layer.pictureConfiguration, layer.configuration) } else { nil }
    }
}
