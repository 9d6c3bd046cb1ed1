/// Turns rows of three samples of 16 bits to bytes of RGB: a matrix in single precision, then rounding to nearest.
///
/// Written so that the compiler makes vectors of it: no branches, no checked conversions, separate channels first.
@safe struct RowConverter {
    private let matrix: [Float]
    private let wide: WideColour?
    private var channels = [UInt8](repeating: 0, count: 3 * chunk)
    private var values = [Float](repeating: 0, count: 3 * chunk)

    /// Small enough for the first-level cache.
    private static let chunk = 512

    /// - Parameter wide: What follows where the primaries are not those of sRGB.
    init(_ transform: ColourTransform, wide: WideColour?) {
        let scale: Double = wide == nil ? 255 : 1
        let (rows, offset) = (transform.matrix.rows, transform.offset)
        matrix = [rows.0, rows.1, rows.2].enumerated().flatMap { index, row in
            [row.x * scale, row.y * scale, row.z * scale, offset[index] * scale].map(Float.init)
        }
        self.wide = wide
    }

    /// - Parameters:
    ///   - samples: Three rows of `count` samples.
    ///   - target: Where the first pixel's red goes.
    ///   - step: Bytes from one pixel to the next, 3 or 4.
    mutating func convert(
        _ samples: (UnsafePointer<UInt16>, UnsafePointer<UInt16>, UnsafePointer<UInt16>), count: Int,
        to target: UnsafeMutablePointer<UInt8>, step: Int
    ) {
        var done = 0
        while done < count {
            let part = min(Self.chunk, count - done)
            let shifted = unsafe (samples.0 + done, samples.1 + done, samples.2 + done)
            unsafe channels.withUnsafeMutableBufferPointer { channels in
                guard let channels = channels.baseAddress else { return }
                for row in 0..<3 {
                    let m = (matrix[4 * row], matrix[4 * row + 1], matrix[4 * row + 2], matrix[4 * row + 3])
                    if wide == nil {
                        unsafe Self.multiply(m, shifted, part, channels + row * Self.chunk)
                    } else {
                        unsafe Self.multiply(m, shifted, part, &values, row * Self.chunk)
                    }
                }
                unsafe wide?.convert(values, to: channels, count: part, distance: Self.chunk)
                unsafe Self.interleave(channels, part, target + done * step, step)
            }
            done += part
        }
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
        _ m: (Float, Float, Float, Float), _ samples: Samples, _ count: Int, _ target: inout [Float], _ start: Int
    ) {
        unsafe target.withUnsafeMutableBufferPointer { target in
            for x in 0..<count {
                unsafe target[start + x] =
                    m.0 * Float(samples.0[x]) + m.1 * Float(samples.1[x]) + m.2 * Float(samples.2[x]) + m.3
            }
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
}
