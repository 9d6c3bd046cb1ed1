import CFFmpeg
import Testing

@testable import SnapMedia

/// A line of what `Tests/ColourReference/reference.py` prints.
struct ReferencePatch: CustomStringConvertible {
    let description: String
    /// All that patches of one video have in common.
    let video: String
    let matrix: String
    let isFullRange: Bool
    let depth: Int
    let transfer: String
    let primaries: String
    /// In cd/m²; 0 for SDR.
    let peak: Double
    let samples: [Int]
    /// Whether sRGB has the colour.
    let isInside: Bool
    /// Bytes of sRGB with their fractions, or linear light where sRGB doesn't have it.
    let colour: [Double]

    var isHigh: Bool { peak > 0 }

    static let all = ReferenceTable.lines().compactMap { ReferencePatch($0) }

    private init?(_ line: Substring) {
        let fields = line.split(separator: ",").map(String.init)
        guard fields.count == 13, let depth = Int(fields[2]), let peak = Double(fields[5]) else { return nil }
        description = String(line)
        video = fields[..<6].joined(separator: ",")
        (matrix, isFullRange, self.depth) = (fields[0], fields[1] == "full", depth)
        (transfer, primaries, self.peak) = (fields[3], fields[4], peak)
        samples = fields[6..<9].compactMap(Int.init)
        isInside = fields[9] == "inside"
        colour = fields[10...].compactMap(Double.init)
    }

    private var tags: ColourDescription.Tags {
        // FFmpeg's names for these two are those of the systems that had them.
        let transfer = ["gamma22": "bt470m", "gamma28": "bt470bg"][transfer] ?? transfer
        return ColourDescription.Tags(
            matrix: AVColorSpace(.init(clamping: av_color_space_from_name(matrix))),
            range: isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG,
            primaries: AVColorPrimaries(.init(clamping: av_color_primaries_from_name(primaries))),
            transfer: AVColorTransferCharacteristic(.init(clamping: av_color_transfer_from_name(transfer))))
    }

    /// What patches of this one's video become, side by side in a frame.
    func pictures(of patches: [ReferencePatch]) throws -> [[Int]] {
        let codes: [Int: (AVPixelFormat, AVPixelFormat)] = [
            8: (AV_PIX_FMT_YUV444P, AV_PIX_FMT_GBRP), 10: (AV_PIX_FMT_YUV444P10LE, AV_PIX_FMT_GBRP10LE),
            12: (AV_PIX_FMT_YUV444P12LE, AV_PIX_FMT_GBRP12LE), 16: (AV_PIX_FMT_YUV444P16LE, AV_PIX_FMT_GBRP16LE),
        ]
        let pair = try #require(codes[depth])
        let tags = tags
        try #require(tags.primaries.rawValue > 0 && tags.transfer.rawValue > 0, "\(self)")
        let frame = try TestFrame.make(
            matrix == "gbr" ? pair.1 : pair.0, width: 4 * patches.count, height: 2, tags: tags
        ) { component, x, _ in patches[x / 4].samples[component] }
        var facts = StreamFacts()
        facts.contentLight = ContentLight(brightestPixel: peak, masteringPeak: nil)
        let (picture, _) = try picture(frame, facts: facts)
        return patches.indices.map { picture.pixel(4 * $0 + 1, 1) }
    }
}
