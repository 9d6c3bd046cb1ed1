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

    func sRGB(_ red: Float, _ green: Float, _ blue: Float) -> SIMD3<UInt8> {
        let (r, g, b) = (light(red), light(green), light(blue))
        func channel(_ row: Int) -> UInt8 {
            encode[Self.index(matrix[3 * row] * r + matrix[3 * row + 1] * g + matrix[3 * row + 2] * b)]
        }
        return [channel(0), channel(1), channel(2)]
    }

    private func light(_ value: Float) -> Float { isLinear ? value : decode[Self.index(value)] }

    private static func index(_ value: Float) -> Int { Int(min(max(value, 0), 1) * 65535 + 0.5) }
}
