import CFFmpeg
import Testing

@testable import SnapMedia

/// Metadata of Dolby Vision in the integers of the bitstream, as FFmpeg's decoder attaches them to a frame.
struct DolbyMetadata: Hashable {
    enum Piece: Hashable {
        /// The coefficients of the powers 0 to 2.
        case polynomial([Int64])
        /// The constant and seven weights for each power.
        case mixed([Int64])
    }

    struct Curve: Hashable {
        var pivots: [UInt16] = [0, 1023]
        var pieces: [Piece] = [.polynomial([0, 1 << 23])]
    }

    var matrix: [Int32]
    var neutral: [Int32]
    var cones: [Int32]
    /// A PQ signal of 12 bits.
    var peak: UInt16 = 3079
    var curves = [Curve](repeating: Curve(), count: 3)
    var isProfile5 = true
    /// What a test breaks.
    var breaking: @Sendable (UnsafeMutablePointer<AVDOVIMetadata>) -> Void = { _ in }

    /// What the metadata of profile 5 usually are, but for reshaping: IPT with a crosstalk of 2 %.
    static let ipt = DolbyMetadata(
        matrix: [8192, 799, 1681, 8192, -933, 1091, 8192, 267, -5545], neutral: [0, 1 << 27, 1 << 27],
        cones: [17081, -349, -349, -349, 17081, -349, -349, -349, 17081])
    /// What profile 8 says of BT.2020's Y'CbCr in limited range.
    static let ycbcr = DolbyMetadata(
        matrix: [9574, 0, 13802, 9574, -1540, -5348, 9574, 17610, 0], neutral: [1 << 24, 1 << 27, 1 << 27],
        cones: [7222, 8771, 390, 2654, 12430, 1300, 0, 422, 15962], isProfile5: false)

    static func == (left: DolbyMetadata, right: DolbyMetadata) -> Bool {
        (left.matrix, left.neutral, left.cones, left.peak) == (right.matrix, right.neutral, right.cones, right.peak)
            && left.curves == right.curves
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(matrix)
        hasher.combine(peak)
        hasher.combine(curves)
    }

    func attach(to frame: UnsafeMutablePointer<AVFrame>) {
        var size = 0
        guard let data = av_dovi_metadata_alloc(&size),
            let buffer = av_buffer_create(
                UnsafeMutableRawPointer(data).assumingMemoryBound(to: UInt8.self), size, nil, nil, 0),
            av_frame_new_side_data_from_buf(frame, AV_FRAME_DATA_DOVI_METADATA, buffer) != nil
        else {
            Issue.record("no memory")
            return
        }
        let header = av_dovi_get_header(data)!
        header.pointee.vdr_rpu_profile = isProfile5 ? 0 : 1
        header.pointee.bl_video_full_range_flag = isProfile5 ? 1 : 0
        header.pointee.bl_bit_depth = 10
        header.pointee.vdr_bit_depth = 12
        header.pointee.coef_log2_denom = 23
        let mapping = av_dovi_get_mapping(data)!
        fill(&mapping.pointee.curves.0, curves[0])
        fill(&mapping.pointee.curves.1, curves[1])
        fill(&mapping.pointee.curves.2, curves[2])
        let colour = av_dovi_get_color(data)!
        fill(&colour.pointee.ycc_to_rgb_matrix, matrix.map { AVRational(num: $0, den: 8192) })
        fill(&colour.pointee.ycc_to_rgb_offset, neutral.map { AVRational(num: $0, den: 1 << 28) })
        fill(&colour.pointee.rgb_to_lms_matrix, cones.map { AVRational(num: $0, den: 16384) })
        colour.pointee.source_max_pq = peak
        breaking(data)
    }

    private func fill(_ target: inout AVDOVIReshapingCurve, _ curve: Curve) {
        target.num_pivots = UInt8(curve.pivots.count)
        fill(&target.pivots, curve.pivots)
        for (index, piece) in curve.pieces.enumerated() {
            switch piece {
            case .polynomial(let numbers):
                fill(&target.mapping_idc, [AV_DOVI_MAPPING_POLYNOMIAL], at: index)
                fill(&target.poly_order, [UInt8(numbers.count - 1)], at: index)
                fill(&target.poly_coef, numbers, at: 3 * index)
            case .mixed(let numbers):
                fill(&target.mapping_idc, [AV_DOVI_MAPPING_MMR], at: index)
                fill(&target.mmr_order, [UInt8(numbers.count / 7)], at: index)
                fill(&target.mmr_constant, [numbers[0]], at: index)
                fill(&target.mmr_coef, Array(numbers.dropFirst()), at: 21 * index)
            }
        }
    }

    /// Writes to a C array, which Swift takes for a tuple.
    private func fill<Tuple, Element>(_ tuple: inout Tuple, _ values: [Element], at index: Int = 0) {
        withUnsafeMutableBytes(of: &tuple) { bytes in
            let elements = bytes.bindMemory(to: Element.self)
            for (offset, value) in values.enumerated() { elements[index + offset] = value }
        }
    }
}
