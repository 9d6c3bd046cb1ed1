import CFFmpeg

/// Where the first chroma sample lies, in 1/256 luma pixels right of and below the first luma sample.
///
/// What the stream leaves open: beside the left luma sample and half-way between two rows (MPEG-2, H.264 and all later
/// standards); in the middle of the luma samples for Motion JPEG, MPEG-1, H.263, Sorenson and Theora, and for formats
/// with a chroma sample for four columns and four rows.
struct ChromaPosition: Hashable {
    let x: Int
    let y: Int

    init(_ location: AVChromaLocation, format: PixelFormat, codec: AVCodecID) {
        let (middleX, middleY) = (Self.middle(format.chromaShiftX), Self.middle(format.chromaShiftY))
        let centred = [
            AV_CODEC_ID_MJPEG, AV_CODEC_ID_MJPEGB, AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_H261, AV_CODEC_ID_H263,
            AV_CODEC_ID_H263I, AV_CODEC_ID_H263P, AV_CODEC_ID_FLV1, AV_CODEC_ID_THEORA,
        ]
        let isCentred =
            format.isFullRangeByName || centred.contains(codec)
            || (format.chromaShiftX == 2 && format.chromaShiftY == 2)
        let bottom = format.chromaShiftY == 0 ? 0 : 2 * middleY
        (x, y) =
            switch location {
            case AVCHROMA_LOC_LEFT: (0, middleY)
            case AVCHROMA_LOC_CENTER: (middleX, middleY)
            case AVCHROMA_LOC_TOPLEFT: (0, 0)
            case AVCHROMA_LOC_TOP: (middleX, 0)
            case AVCHROMA_LOC_BOTTOMLEFT: (0, bottom)
            case AVCHROMA_LOC_BOTTOM: (middleX, bottom)
            default: (isCentred ? middleX : 0, middleY)
            }
    }

    /// The middle of 1, 2 or 4 luma samples, from the middle of the first.
    private static func middle(_ shift: Int) -> Int { ((1 << shift) - 1) * 128 }
}
