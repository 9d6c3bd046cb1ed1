/// Turns rows of three samples of 16 bits to RGB of 8 or 16 bits: a matrix in single precision, then rounding to nearest.
///
/// Written so that the compiler makes vectors of it: no branches, no checked conversions, separate channels first.
@safe struct RowConverter {
    private let matrix: [Float]
    private let light: LightConverter?
    private let isDeep: Bool
    private var channels = [UInt8](repeating: 0, count: 3 * chunk)
    private var values = [Float](repeating: 0, count: 3 * chunk)

    /// Small enough for the first-level cache.
    private static let chunk = 512

    /// - Parameters:
    ///   - light: What follows where the numbers are not good as they are.
    ///   - isDeep: Whether the result keeps the video's primaries and transfer, in 16 bits with the high byte first.
    init(_ transform: ColourTransform, light: LightConverter?, isDeep: Bool = false) {
        let scale: Double = light == nil && !isDeep ? 255 : 1
        let (rows, offset) = (transform.matrix.rows, transform.offset)
        matrix = [rows.0, rows.1, rows.2].enumerated().flatMap { index, row in
            [row.x * scale, row.y * scale, row.z * scale, offset[index] * scale].map(Float.init)
        }
        self.light = light
        self.isDeep = isDeep
    }

    /// - Parameters:
    ///   - samples: Three rows of `count` samples.
    ///   - target: Where the first pixel's red goes.
    ///   - step: Bytes from one pixel to the next: 3 or 4, or twice as many.
    mutating func convert(
        _ samples: (UnsafePointer<UInt16>, UnsafePointer<UInt16>, UnsafePointer<UInt16>), count: Int,
        to target: UnsafeMutablePointer<UInt8>, step: Int
    ) {
        var done = 0
        while done < count {
            let part = min(Self.chunk, count - done)
            let shifted = unsafe (samples.0 + done, samples.1 + done, samples.2 + done)
            let goal = unsafe target + done * step
            if light == nil, !isDeep {
                unsafe convertAsCoded(shifted, part, to: goal, step)
            } else {
                unsafe convertByLight(shifted, part, to: goal, step)
            }
            done += part
        }
    }

    @inline(__always)
    private mutating func convertAsCoded(
        _ samples: Samples, _ count: Int, to target: UnsafeMutablePointer<UInt8>, _ step: Int
    ) {
        let factors = (Self.row(0, of: matrix), Self.row(1, of: matrix), Self.row(2, of: matrix))
        unsafe channels.withUnsafeMutableBufferPointer { channels in
            guard let channels = channels.baseAddress else { return }
            unsafe Self.multiply(factors.0, samples, count, channels)
            unsafe Self.multiply(factors.1, samples, count, channels + Self.chunk)
            unsafe Self.multiply(factors.2, samples, count, channels + 2 * Self.chunk)
            unsafe Self.interleave(channels, count, target, step)
        }
    }

    private mutating func convertByLight(
        _ samples: Samples, _ count: Int, to target: UnsafeMutablePointer<UInt8>, _ step: Int
    ) {
        let (factors, light, isDeep) = (matrix, light, isDeep)
        unsafe values.withUnsafeMutableBufferPointer { values in
            guard let values = values.baseAddress else { return }
            for row in 0..<3 {
                unsafe Self.multiply(Self.row(row, of: factors), samples, count, values + row * Self.chunk)
            }
            if isDeep {
                unsafe light?.keep(values, count: count, distance: Self.chunk)
                unsafe Self.interleave(values, count, target, step)
            } else {
                unsafe light?.convert(values, count: count, distance: Self.chunk)
            }
        }
        if isDeep { return }
        unsafe channels.withUnsafeMutableBufferPointer { channels in
            guard let channels = channels.baseAddress else { return }
            unsafe values.withUnsafeBufferPointer { values in
                guard let values = values.baseAddress else { return }
                unsafe light?.encode(values, to: channels, count: count, distance: Self.chunk)
            }
            unsafe Self.interleave(channels, count, target, step)
        }
    }

    private static func row(_ index: Int, of m: [Float]) -> (Float, Float, Float, Float) {
        (m[4 * index], m[4 * index + 1], m[4 * index + 2], m[4 * index + 3])
    }

    private typealias Samples = (UnsafePointer<UInt16>, UnsafePointer<UInt16>, UnsafePointer<UInt16>)

    private static func multiply(
        _ m: (Float, Float, Float, Float), _ samples: Samples, _ count: Int, _ target: UnsafeMutablePointer<UInt8>
    ) {
        let rounding: Float = 12_582_912  // 1.5 times 2 to the 23: adding it leaves the nearest integer in the low bits
        for x in 0..<count {
            let value = unsafe m.0 * Float(samples.0[x]) + m.1 * Float(samples.1[x]) + m.2 * Float(samples.2[x]) + m.3
            let clamped = value < 0 ? 0 : value > 255 ? 255 : value
            unsafe target[x] = UInt8(truncatingIfNeeded: (clamped + rounding).bitPattern)
        }
    }

    private static func multiply(
        _ m: (Float, Float, Float, Float), _ samples: Samples, _ count: Int, _ target: UnsafeMutablePointer<Float>
    ) {
        for x in 0..<count {
            unsafe target[x] =
                m.0 * Float(samples.0[x]) + m.1 * Float(samples.1[x]) + m.2 * Float(samples.2[x]) + m.3
        }
    }

    private static func interleave(
        _ channels: UnsafePointer<UInt8>, _ count: Int, _ target: UnsafeMutablePointer<UInt8>, _ step: Int
    ) {
        var target = unsafe target
        for x in 0..<count {
            unsafe target[0] = channels[x]
            unsafe target[1] = channels[chunk + x]
            unsafe target[2] = channels[2 * chunk + x]
            unsafe target += step
        }
    }

    /// Signals of 0 to 1 as 16 bits, the high byte first.
    private static func interleave(
        _ values: UnsafePointer<Float>, _ count: Int, _ target: UnsafeMutablePointer<UInt8>, _ step: Int
    ) {
        for x in 0..<count {
            for channel in 0..<3 {
                let value = unsafe UInt16(min(max(values[channel * chunk + x], 0), 1) * 65535 + 0.5)
                unsafe target[x * step + 2 * channel] = UInt8(value >> 8)
                unsafe target[x * step + 2 * channel + 1] = UInt8(truncatingIfNeeded: value)
            }
        }
    }
}
