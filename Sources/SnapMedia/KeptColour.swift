import CFFmpeg
import SnapBase

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The colours of a picture that keeps the video's own transfer and primaries.
struct KeptColour {
    private let transfer: TransferFunction
    let primaries: ColourPrimaries

    init(_ colour: PictureColour) {
        transfer = TransferFunction(AVColorTransferCharacteristic(.init(colour.transfer)))
        primaries = ColourPrimaries(AVColorPrimaries(.init(colour.primaries))) ?? .bt709
    }

    /// An sRGB colour as it has to be coded so that its white has the luminance of HDR's reference white, 0 to 65535.
    func signals(of colour: RGBColour) -> [UInt16] {
        let light = SIMD3(
            [colour.red, colour.green, colour.blue].map {
                TransferFunction.sRGB.light(ofSignal: Double($0) / 255)
            })
        let shown = ColourPrimaries.bt709.conversion(to: primaries) * light
        let scaled: SIMD3<Double>
        switch transfer {
        case .pq: scaled = shown * (ToneCurve.white / ToneCurve.largest)
        case .hlg:
            // The inverse of BT.2100's OOTF, with gamma 1.2.
            let nominal = shown * (ToneCurve.white / PeakLuminance.hlg.luminance)
            let luminance = (primaries.toXYZ.rows.1 * nominal).sum()
            scaled = luminance > 0 ? nominal * pow(luminance, 1 / 1.2 - 1) : .zero
        default: scaled = shown
        }
        return [scaled.x, scaled.y, scaled.z].map {
            UInt16(min(max(transfer.signal(ofLight: $0), 0), 1) * 65535 + 0.5)
        }
    }

    /// What a grey of that signal shines like on the display, HDR's reference white being 1, and all that is brighter too.
    func greyLight(ofSignal signal: Double) -> Double {
        let light = transfer.light(ofSignal: signal)
        return switch transfer {
        case .pq: min(light * ToneCurve.largest / ToneCurve.white, 1)
        // BT.2100's OOTF, with gamma 1.2.
        case .hlg: min(pow(light, 1.2) * PeakLuminance.hlg.luminance / ToneCurve.white, 1)
        default: min(light, 1)
        }
    }
}
