import CFFmpeg

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// How coded values and light go together: the curves of ITU-T H.273, table 3.
///
/// Signals go from 0 to 1. So does light, 1 being white, but for PQ, where 1 is 10,000 cd/m².
enum TransferFunction: Sendable, Hashable {
    /// The camera's curve of BT.709, BT.601 and BT.2020; xvYCC and BT.1361 have the same from black to white.
    case bt709
    case smpte240m
    /// IEC 61966-2-1.
    case sRGB
    case gamma(Double)
    case linear
    /// Logarithmic, light of less than ten to the minus this being 0.
    case logarithmic(decades: Double)
    /// Digital cinema: gamma 2.6, white at 48 of 52.37 cd/m².
    case smpte428
    /// BT.2100 perceptual quantization (SMPTE ST 2084).
    case pq
    /// BT.2100 hybrid log-gamma (ARIB STD-B67): light as the camera saw it.
    case hlg

    /// - Returns: ``bt709`` for codes that are none.
    init(_ code: AVColorTransferCharacteristic) {
        switch code {
        case AVCOL_TRC_SMPTE240M: self = .smpte240m
        case AVCOL_TRC_IEC61966_2_1: self = .sRGB
        case AVCOL_TRC_GAMMA22: self = .gamma(2.2)
        case AVCOL_TRC_GAMMA28: self = .gamma(2.8)
        case AVCOL_TRC_LINEAR: self = .linear
        case AVCOL_TRC_LOG: self = .logarithmic(decades: 2)
        case AVCOL_TRC_LOG_SQRT: self = .logarithmic(decades: 2.5)
        case AVCOL_TRC_SMPTE428: self = .smpte428
        case AVCOL_TRC_SMPTE2084: self = .pq
        case AVCOL_TRC_ARIB_STD_B67: self = .hlg
        default: self = .bt709
        }
    }

    var isHighDynamicRange: Bool { self == .pq || self == .hlg }

    /// The light that a signal stands for.
    func light(ofSignal signal: Double) -> Double {
        let signal = min(max(signal, 0), 1)
        switch self {
        case .bt709:
            return signal < 4.5 * Self.beta ? signal / 4.5 : pow((signal + Self.alpha - 1) / Self.alpha, 1 / 0.45)
        case .smpte240m: return signal < 4 * 0.0228 ? signal / 4 : pow((signal + 0.1115) / 1.1115, 1 / 0.45)
        case .sRGB: return signal <= 0.04045 ? signal / 12.92 : pow((signal + 0.055) / 1.055, 2.4)
        case .gamma(let exponent): return pow(signal, exponent)
        case .linear: return signal
        case .logarithmic(let decades): return signal > 0 ? pow(10, decades * (signal - 1)) : 0
        case .smpte428: return 52.37 / 48 * pow(signal, 2.6)
        case .pq:
            let power = pow(signal, 1 / Self.m2)
            return pow(max(power - Self.c1, 0) / (Self.c2 - Self.c3 * power), 1 / Self.m1)
        case .hlg: return signal <= 0.5 ? signal * signal / 3 : (exp((signal - Self.c) / Self.a) + Self.b) / 12
        }
    }

    /// The signal for a light: the inverse.
    func signal(ofLight light: Double) -> Double {
        let light = max(light, 0)
        switch self {
        case .bt709: return light < Self.beta ? 4.5 * light : Self.alpha * pow(light, 0.45) - (Self.alpha - 1)
        case .smpte240m: return light < 0.0228 ? 4 * light : 1.1115 * pow(light, 0.45) - 0.1115
        case .sRGB: return light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
        case .gamma(let exponent): return pow(light, 1 / exponent)
        case .linear: return light
        case .logarithmic(let decades): return light < pow(10, -decades) ? 0 : 1 + log10(light) / decades
        case .smpte428: return pow(48 * light / 52.37, 1 / 2.6)
        case .pq:
            let power = pow(light, Self.m1)
            return pow((Self.c1 + Self.c2 * power) / (1 + Self.c3 * power), Self.m2)
        case .hlg: return light <= 1 / 12 ? (3 * light).squareRoot() : Self.a * log(12 * light - Self.b) + Self.c
        }
    }

    /// The light that a screen shows for a signal, as viewers do it: what a camera's curve made is shown by sRGB's,
    /// which is a little darker in the middle, as the screen's dimmer surroundings ask for.
    func shownLight(ofSignal signal: Double) -> Double {
        switch self {
        case .bt709: Self.sRGB.light(ofSignal: signal)
        case .smpte240m: Self.sRGB.light(ofSignal: Self.bt709.signal(ofLight: light(ofSignal: signal)))
        default: light(ofSignal: signal)
        }
    }

    // H.273 gives these for the curve of BT.709 with all their places, so that its two parts meet.
    private static let alpha = 1.099296826809442
    private static let beta = 0.018053968510807

    // BT.2100, table 4.
    private static let m1 = 2610.0 / 16384
    private static let m2 = 2523.0 / 32
    private static let c1 = 3424.0 / 4096
    private static let c2 = 2413.0 / 128
    private static let c3 = 2392.0 / 128

    // BT.2100, table 5.
    private static let a = 0.17883277
    private static let b = 1 - 4 * a
    private static let c = 0.5 - a * log(4 * a)
}
