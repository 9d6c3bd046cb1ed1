import CFFmpeg

/// What the stream knows of its pictures and a decoded frame may not.
package struct StreamFacts: Sendable, Hashable {
    /// Nine numbers as in ``Orientation/nearest(toDisplayMatrix:)``. The frame's own goes before it.
    package var displayMatrix: [Int32]?
    /// The container's, which goes before the frame's own.
    package var sampleAspectRatio: AspectRatio?
    /// The part of the decoded frame that is to be shown (clean aperture); `nil` for all of it.
    package var cleanAperture: PixelRectangle?
    /// The size of the frames that ``cleanAperture`` is for; `nil` for all.
    package var apertureFrame: PixelRectangle?
    /// The profile of Dolby Vision; `nil` without it.
    package var dolbyVisionProfile: Int?
    /// Whether the pictures make sense through Dolby Vision's own metadata only, as in profile 5.
    var needsDolbyVision = false
    /// What the base layer of Dolby Vision is (`dv_bl_signal_compatibility_id`: 1 and 6 PQ, 2 SDR, 4 HLG); `nil` without.
    var dolbyVisionCompatibility: Int?
    var contentLight = ContentLight()
    /// What the container says of colours. The frame's own go before it, each part for itself.
    var colourTags = ColourDescription.Tags()
    /// Whether there is alpha in a layer of its own, as in HEVC.
    var hasAlphaLayer = false
    /// Whether there is alpha in an item of its own, as in AVIF.
    var hasAlphaItem = false
    /// Whether chapters show other files besides, which nobody looks for.
    var showsOtherFiles = false
    var viewLayout = ViewLayout()
    var codec = AV_CODEC_ID_NONE

    package init() {}

    /// What an open stream says.
    init(_ stream: UnsafePointer<AVStream>) {
        if let matrix = unsafe cff_stream_display_matrix(stream) {
            displayMatrix = unsafe Array(UnsafeBufferPointer(start: matrix, count: 9))
        }
        let ratio = unsafe stream.pointee.sample_aspect_ratio
        sampleAspectRatio = AspectRatio(Int(ratio.num), over: Int(ratio.den))
        if let matrix = displayMatrix, let shape = sampleAspectRatio {
            sampleAspectRatio = Self.shape(shape, by: matrix)
        }
        if let parameters = unsafe stream.pointee.codecpar {
            codec = unsafe parameters.pointee.codec_id
            colourTags = unsafe ColourDescription.Tags(
                matrix: parameters.pointee.color_space, range: parameters.pointee.color_range,
                primaries: parameters.pointee.color_primaries, transfer: parameters.pointee.color_trc)
        }
        if let record = unsafe cff_stream_dolby_vision(stream) {
            dolbyVisionProfile = unsafe Int(record.pointee.dv_profile)
            dolbyVisionCompatibility = unsafe Int(record.pointee.dv_bl_signal_compatibility_id)
            // These always have a base layer that makes sense; older records of them have no compatibility.
            let hasBaseLayer = [4, 7, 8, 9].contains(dolbyVisionProfile)
            needsDolbyVision = dolbyVisionCompatibility == 0 && !hasBaseLayer
        }
        contentLight = unsafe ContentLight(of: stream)
        if codec == AV_CODEC_ID_HEVC, let parameters = unsafe stream.pointee.codecpar {
            hasAlphaLayer = unsafe HEVCAlphaLayer.isNamed(in: parameters.pointee.configuration)
        }
        viewLayout = unsafe ViewLayout(of: stream)
    }
}

extension StreamFacts {
    /// The shape of coded pixels. Where a container has none, libavformat takes that of a display matrix that stretches, but
    /// of the picture as it is shown: where it is turned to a side, it is the other way round.
    private static func shape(_ shape: AspectRatio, by matrix: [Int32]) -> AspectRatio {
        let width = (Double(matrix[0]) * Double(matrix[0]) + Double(matrix[3]) * Double(matrix[3])).squareRoot()
        let height = (Double(matrix[1]) * Double(matrix[1]) + Double(matrix[4]) * Double(matrix[4])).squareRoot()
        let stretch = width / max(height, 1)
        let ratio = Double(shape.numerator) / Double(shape.denominator)
        guard Orientation.nearest(toDisplayMatrix: matrix)?.orientation.swapsSides == true,
            abs(stretch - 1) > 0.01, abs(ratio / stretch - 1) < 0.01
        else { return shape }
        return AspectRatio(shape.denominator, over: shape.numerator) ?? shape
    }
}

extension ColourDescription.Tags {
    /// With what the frame leaves open and the container says, and if that leaves the transfer open too, the configuration
    /// of Dolby Vision of its base layer. Decoders set aside what a container says when the stream calls it unspecified.
    func completed(by facts: StreamFacts) -> ColourDescription.Tags {
        var tags = self
        if tags.matrix == AVCOL_SPC_UNSPECIFIED { tags.matrix = facts.colourTags.matrix }
        if tags.range == AVCOL_RANGE_UNSPECIFIED { tags.range = facts.colourTags.range }
        if tags.primaries == AVCOL_PRI_UNSPECIFIED { tags.primaries = facts.colourTags.primaries }
        if tags.transfer == AVCOL_TRC_UNSPECIFIED { tags.transfer = facts.colourTags.transfer }
        guard tags.transfer == AVCOL_TRC_UNSPECIFIED else { return tags }
        switch facts.dolbyVisionCompatibility {
        case 1, 6: tags.transfer = AVCOL_TRC_SMPTE2084
        case 4: tags.transfer = AVCOL_TRC_ARIB_STD_B67
        default: break
        }
        return tags
    }
}
