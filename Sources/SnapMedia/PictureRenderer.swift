import CFFmpeg
import SnapBase

/// Makes the pixels of a picture of planes that have its size already.
struct PictureRenderer {
    /// What pixels depend on, but for the planes.
    struct Rendering: Hashable {
        var transform: ColourTransform
        var colour: ColourDescription
        /// `nil` where the tags say all.
        var dolbyVision: DolbyVision?
        /// `nil` for SDR.
        var highDynamicRange: HighDynamicRange?
        var light: ContentLight
    }

    let rendering: Rendering
    /// Of the last picture: the light that became white; `nil` where none was drawn together.
    private(set) var peak: PeakLuminance?
    private var rows: (conversion: LightConversion?, converter: RowConverter)?

    init(_ rendering: Rendering) { self.rendering = rendering }

    /// - Parameters:
    ///   - planes: 4:4:4 of 16 bits.
    ///   - part: What is shown of them.
    mutating func picture(
        of planes: borrowing PlanarFrame, part: PixelRectangle
    ) throws(PictureError) -> Picture {
        let highlights = try highlights(of: planes, part)
        let conversion = LightConversion(
            rendering.colour, dolbyVision: rendering.dolbyVision, highlights: highlights)
        let isDeep = highlights == .kept
        if rows == nil || rows?.conversion != conversion {
            let isNeeded = !isDeep || conversion?.model != .rgb
            let light = isNeeded ? conversion.map(LightConverter.init) : nil
            rows = (conversion, RowConverter(rendering.transform, light: light, isDeep: isDeep))
        }
        guard var converter = rows?.converter else { throw .empty }
        return try Self.converted(planes, part, &converter, colour: isDeep ? rendering.colour.picture : nil)
    }

    private mutating func highlights(
        of planes: borrowing PlanarFrame, _ part: PixelRectangle
    ) throws(PictureError) -> LightConversion.Highlights {
        switch rendering.highDynamicRange {
        case nil: return .none
        case .clipped: return .clipped
        case .kept: return .kept
        case .toneMapped:
            let luminance: PeakLuminance
            if TransferFunction(rendering.colour.transferCode) == .hlg {
                luminance = .hlg
            } else if let known = PeakLuminance(rendering.light) {
                luminance = known
            } else {
                luminance = try PeakLuminance(measuring: planes, part: part, signals)
            }
            peak = luminance
            return .compressed(peak: luminance.luminance)
        }
    }

    /// From three samples to three signals, R'G'B' or of other lights.
    private var signals: (SIMD3<Double>) -> SIMD3<Double> {
        let transform = rendering.transform
        guard let reshaper = rendering.dolbyVision.map(Reshaper.init) else {
            return { transform.matrix * $0 + transform.offset }
        }
        return { SIMD3<Double>(reshaper(SIMD3<Float>(transform.matrix * $0))) }
    }

    /// 4:4:4 samples of 16 bits to a picture of the same size.
    ///
    /// - Parameter colour: What 16 bits mean; `nil` for 8 bits of sRGB.
    private static func converted(
        _ planes: borrowing PlanarFrame, _ part: PixelRectangle, _ converter: inout RowConverter, colour: PictureColour?
    ) throws(PictureError) -> Picture {
        let channels: Picture.Channels = planes.layout.hasAlpha ? .rgba : .rgb
        let sources = (try planes.plane(of: 0), try planes.plane(of: 1), try planes.plane(of: 2))
        let alpha = planes.layout.hasAlpha ? try planes.plane(of: 3) : nil
        let white = planes.layout.white
        let step = colour == nil ? channels.rawValue : 2 * channels.rawValue
        let size = part.width * part.height * step
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { target, count in
            guard let target = target.baseAddress else { return }
            for y in 0..<part.height {
                let row = unsafe target + y * part.width * step
                let samples = { (plane: PlanarFrame.Plane) in
                    unsafe UnsafePointer(plane.row(part.y + y, of: UInt16.self) + part.x)
                }
                unsafe converter.convert(
                    (samples(sources.0), samples(sources.1), samples(sources.2)), count: part.width, to: row, step: step
                )
                guard let alpha else { continue }
                let opacity = unsafe samples(alpha)
                for x in 0..<part.width {
                    let deep = unsafe min((Int(opacity[x]) * 65535 + white / 2) / white, 65535)
                    if step == 8 {
                        unsafe row[8 * x + 6] = UInt8(deep >> 8)
                        unsafe row[8 * x + 7] = UInt8(deep & 255)
                    } else {
                        unsafe row[4 * x + 3] = UInt8(min((Int(opacity[x]) * 255 + white / 2) / white, 255))
                    }
                }
            }
            count = size
        }
        let picture = Picture(
            width: part.width, height: part.height, channels: channels, bytes: bytes,
            bitsPerChannel: colour == nil ? 8 : 16, colour: colour ?? .sRGB)
        guard let picture else { throw .empty }
        return picture
    }
}

extension ColourDescription {
    /// For a picture that keeps them. Other lights than red, green and blue become those of BT.2020; few viewers know XYZ.
    fileprivate var picture: PictureColour {
        let isOtherLight = isXYZ || matrixCode == AVCOL_SPC_ICTCP
        return PictureColour(
            primaries: UInt8(clamping: (isOtherLight ? AVCOL_PRI_BT2020 : primariesCode).rawValue),
            transfer: UInt8(clamping: transferCode.rawValue))
    }
}
