import CFFmpeg

extension DolbyVision {
    /// What the frame's RPU says.
    ///
    /// - Returns: `nil` without one, and for one that can't be true.
    init?(of frame: borrowing VideoFrame) {
        guard let data = unsafe cff_frame_dolby_vision(frame.pointer) else { return nil }
        let header = unsafe av_dovi_get_header(data).pointee
        let mapping = unsafe av_dovi_get_mapping(data).pointee
        let colour = unsafe av_dovi_get_color(data).pointee
        guard 8...16 ~= header.bl_bit_depth, 8...16 ~= header.vdr_bit_depth, header.coef_log2_denom <= 32 else {
            return nil
        }
        let unit = 1 / Double(1 << Int(header.coef_log2_denom))
        let samples = Float(1 << Int(header.bl_bit_depth))
        let sources = [mapping.curves.0, mapping.curves.1, mapping.curves.2]
        let curves = sources.enumerated().compactMap { ReshapingCurve($1, component: $0, samples: samples, unit: unit) }
        guard curves.count == 3, let matrix = Matrix3(colour.ycc_to_rgb_matrix),
            let cones = Matrix3(colour.rgb_to_lms_matrix),
            let neutral = SIMD3(colour.ycc_to_rgb_offset.0, colour.ycc_to_rgb_offset.1, colour.ycc_to_rgb_offset.2)
        else { return nil }
        let signal = Double(min(colour.source_max_pq, 4095)) / 4095
        self.init(
            curves: curves, matrix: matrix, neutral: neutral, depth: Int(header.vdr_bit_depth), cones: cones,
            masteringPeak: TransferFunction.pq.light(ofSignal: signal) * ToneCurve.largest,
            isFullRange: header.bl_video_full_range_flag != 0,
            isProfile5: header.vdr_rpu_profile == 0 && header.bl_video_full_range_flag != 0)
    }
}

extension ReshapingCurve {
    /// - Parameters:
    ///   - component: Whose curve it is.
    ///   - samples: How many there are of the base layer's depth.
    ///   - unit: What coefficients count.
    fileprivate init?(_ curve: AVDOVIReshapingCurve, component: Int, samples: Float, unit: Double) {
        guard 2...(AV_DOVI_MAX_PIECES + 1) ~= Int32(curve.num_pivots) else { return nil }
        let count = Int(curve.num_pivots) - 1
        // C arrays come as tuples.
        var curve = curve
        let pivots = unsafe withUnsafeBytes(of: &curve.pivots) { unsafe Array($0.bindMemory(to: UInt16.self)) }
        let orders = unsafe withUnsafeBytes(of: &curve.poly_order) { unsafe Array($0) }
        let mixedOrders = unsafe withUnsafeBytes(of: &curve.mmr_order) { unsafe Array($0) }
        let methods = unsafe withUnsafeBytes(of: &curve.mapping_idc) {
            unsafe Array($0.bindMemory(to: AVDOVIMappingMethod.self))
        }
        let powers = unsafe withUnsafeBytes(of: &curve.poly_coef) { unsafe Array($0.bindMemory(to: Int64.self)) }
        let constants = unsafe withUnsafeBytes(of: &curve.mmr_constant) { unsafe Array($0.bindMemory(to: Int64.self)) }
        let mixed = unsafe withUnsafeBytes(of: &curve.mmr_coef) { unsafe Array($0.bindMemory(to: Int64.self)) }
        let pieces = (0..<count).compactMap { piece in
            methods[piece] == AV_DOVI_MAPPING_POLYNOMIAL
                ? Terms(polynomial: powers[3 * piece..<3 * piece + 3], order: orders[piece], of: component, unit: unit)
                : Terms(
                    constant: constants[piece], mixed: mixed[21 * piece..<21 * piece + 21], order: mixedOrders[piece],
                    unit: unit)
        }
        guard pieces.count == count else { return nil }
        self.init(pivots: pivots.prefix(count + 1).map { Float($0) / samples }, pieces: pieces)
    }
}

extension ReshapingCurve.Terms {
    /// - Parameter coefficients: Of the powers 0 to 2.
    fileprivate init?(polynomial coefficients: ArraySlice<Int64>, order: UInt8, of component: Int, unit: Double) {
        guard 1...2 ~= order, let weights = Self.weights(coefficients.prefix(Int(order) + 1), unit) else { return nil }
        self.init()
        first[7] = weights[0]
        first[component] = weights[1]
        if order == 2 { second[component] = weights[2] }
    }

    /// - Parameter coefficients: Seven for each power.
    fileprivate init?(constant: Int64, mixed coefficients: ArraySlice<Int64>, order: UInt8, unit: Double) {
        guard 1...3 ~= order, let weights = Self.weights([constant] + coefficients.prefix(7 * Int(order)), unit) else {
            return nil
        }
        self.init()
        first[7] = weights[0]
        for term in 0..<7 {
            first[term] = weights[1 + term]
            if order >= 2 { second[term] = weights[8 + term] }
            if order == 3 { third[term] = weights[15 + term] }
        }
    }

    /// - Returns: `nil` if one is too large.
    private static func weights(_ coefficients: ArraySlice<Int64>, _ unit: Double) -> [Float]? {
        let weights = coefficients.map { Float(Double($0) * unit) }
        return weights.allSatisfy { abs($0) <= ReshapingCurve.largestWeight } ? weights : nil
    }
}

extension Matrix3 {
    /// - Returns: `nil` where a denominator is 0.
    fileprivate init?(
        _ m: (
            AVRational, AVRational, AVRational, AVRational, AVRational, AVRational, AVRational, AVRational, AVRational
        )
    ) {
        guard let first = SIMD3(m.0, m.1, m.2), let second = SIMD3(m.3, m.4, m.5), let third = SIMD3(m.6, m.7, m.8)
        else { return nil }
        self.init(first, second, third)
    }
}

extension SIMD3<Double> {
    fileprivate init?(_ x: AVRational, _ y: AVRational, _ z: AVRational) {
        guard x.den != 0, y.den != 0, z.den != 0 else { return nil }
        self = [av_q2d(x), av_q2d(y), av_q2d(z)]
    }
}
