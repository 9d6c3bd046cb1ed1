import CFFmpeg

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Brings R'G'B' of other primaries or a linear transfer to sRGB: decode, multiply, clip, encode.
///
/// The curves in and out are both sRGB's, so that grey stays what it is: pictures with BT.709's primaries are passed on
/// as coded too, as every viewer does. Colours outside of sRGB are clipped.
struct WideColour: Sendable {
    private let matrix: [Float]
    private let isLinear: Bool
    /// From R'G'B' to light and back, at 65536 points each.
    private let decode: [Float]
    private let encode: [UInt8]

    /// - Returns: `nil` where the numbers are good as they are: primaries no wider than sRGB's, an ordinary transfer.
    init?(_ colour: ColourDescription) {
        let isWide = [AVCOL_PRI_BT2020, AVCOL_PRI_SMPTE431, AVCOL_PRI_SMPTE432].contains(colour.primariesCode)
        isLinear = colour.transferCode == AVCOL_TRC_LINEAR
        guard isWide || isLinear else { return nil }
        let primaries = isWide ? ColourPrimaries(colour.primariesCode) ?? .bt709 : .bt709
        let rows = primaries.conversion(to: .bt709).rows
        matrix = [rows.0, rows.1, rows.2].flatMap { [Float($0.x), Float($0.y), Float($0.z)] }
        decode = isLinear ? [] : (0...65535).map { Float(Self.light(Double($0) / 65535)) }
        encode = (0...65535).map { UInt8((Self.signal(Double($0) / 65535) * 255).rounded()) }
    }

    /// IEC 61966-2-1.
    private static func light(_ signal: Double) -> Double {
        signal <= 0.04045 ? signal / 12.92 : pow((signal + 0.055) / 1.055, 2.4)
    }

    private static func signal(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    /// Converts three channels of `count` values, `distance` apart from each other.
    func convert(
        _ values: UnsafePointer<Float>, to bytes: UnsafeMutablePointer<UInt8>, count: Int, distance: Int
    ) {
        unsafe decode.withUnsafeBufferPointer { decode in
            unsafe encode.withUnsafeBufferPointer { encode in
                unsafe matrix.withUnsafeBufferPointer { m in
                    for x in 0..<count {
                        let (r, g, b) = unsafe (values[x], values[distance + x], values[2 * distance + x])
                        let light =
                            unsafe isLinear
                            ? (r, g, b) : (decode[Self.index(r)], decode[Self.index(g)], decode[Self.index(b)])
                        for row in 0..<3 {
                            let sum = unsafe m[3 * row] * light.0 + m[3 * row + 1] * light.1 + m[3 * row + 2] * light.2
                            unsafe bytes[row * distance + x] = encode[Self.index(sum)]
                        }
                    }
                }
            }
        }
    }

    /// A place in the tables, which have an entry for each of 16 bits.
    @inline(__always)
    private static func index(_ value: Float) -> Int { Int(min(max(value, 0), 1) * 65535 + 0.5) }
}
