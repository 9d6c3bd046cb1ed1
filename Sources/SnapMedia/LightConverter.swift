import SnapBase

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Brings values as ``ColourTransform`` gives them to R'G'B' of sRGB by way of light: decode, compress highlights,
/// multiply, map the gamut, encode.
///
/// Colours that sRGB has come out as they are, in shadows and middle tones of HDR too: white is ``ToneCurve/white``.
/// Highlights keep the proportions of red, green and blue. What sRGB doesn't have goes through ``GamutMap``.
struct LightConverter: Sendable {
    private let conversion: LightConversion
    private let constantLuminance: ConstantLuminance?
    private let reshaper: Reshaper?
    /// From values of 0 to 1 to light; empty for linear ones. White is 1, the camera's for HLG.
    private let decode: [Float]
    /// From other lights to those of the primaries; empty where the signals are R'G'B'.
    private let lights: [Float]
    /// What light is multiplied by, by the largest of red, green and blue; `nil` for 1.
    private let gain: LightTable?
    /// HLG's way from the camera's light to the display's, by luminance (BT.2100, table 5, "OOTF").
    private let display: LightTable?
    private let luminances: SIMD3<Float>
    private let matrix: [Float]
    private let encode: [UInt8]
    /// The way back to signals of the video's own transfer.
    private let signal: LightTable?

    // Computed, so that inner loops have numbers and need not ask whether they have been made yet.
    private static var decodeSteps: Int { 16384 }
    private static var encodeSteps: Int { 32768 }

    init(_ conversion: LightConversion) {
        self.conversion = conversion
        let (transfer, primaries) = (conversion.transfer, conversion.primaries)
        var constantLuminance: ConstantLuminance?
        var reshaper: Reshaper?
        var lights: Matrix3?
        switch conversion.model {
        case .rgb: break
        case .lights(let toRGB): lights = toRGB
        case .dolbyVision(let metadata): (reshaper, lights) = (Reshaper(metadata), metadata.rgb)
        case .constantLuminance(let red, let blue):
            constantLuminance = ConstantLuminance(red: red, blue: blue, transfer: transfer)
        }
        (self.constantLuminance, self.reshaper) = (constantLuminance, reshaper)
        self.lights = lights.map(Self.flat) ?? []
        let unit = transfer == .pq ? ToneCurve.largest / ToneCurve.white : 1
        // Light of HDR is the display's or the scene's own; that of SDR is what viewers show.
        let light = transfer.isHighDynamicRange ? transfer.light(ofSignal:) : transfer.shownLight(ofSignal:)
        decode =
            transfer == .linear
            ? []
            : (0...Self.decodeSteps).map { Float(unit * light(Double($0) / Double(Self.decodeSteps))) }
        matrix = Self.flat(primaries.conversion(to: .bt709))
        luminances = SIMD3<Float>(primaries.toXYZ.rows.1)
        let peak = ToneCurve.largest / ToneCurve.white
        // BT.2100, note 5f: gamma 1.2 at 1000 cd/m².
        let nominal = PeakLuminance.hlg.luminance / ToneCurve.white
        display =
            transfer == .hlg && conversion.highlights != .kept ? LightTable { nominal * pow($0, 0.2) } : nil
        switch conversion.highlights {
        case .none, .kept: gain = nil
        case .clipped: gain = LightTable { min($0, 1) / $0 }
        case .compressed(let luminance):
            let curve = ToneCurve(peak: luminance)
            gain = LightTable { curve(min($0, peak)) / $0 }
        }
        encode = Self.encodeTable()
        signal =
            conversion.highlights == .kept && conversion.model != .rgb
            ? LightTable { transfer.signal(ofLight: $0 / unit) } : nil
    }

    private static func flat(_ matrix: Matrix3) -> [Float] {
        let rows = matrix.rows
        return [rows.0, rows.1, rows.2].flatMap { [Float($0.x), Float($0.y), Float($0.z)] }
    }

    /// Each byte from where the curve of sRGB passes half a level below it.
    private static func encodeTable() -> [UInt8] {
        let starts = (1...255).map { level in
            Int((TransferFunction.sRGB.light(ofSignal: (Double(level) - 0.5) / 255) * Double(encodeSteps)).rounded(.up))
        }
        var table: [UInt8] = []
        table.reserveCapacity(encodeSteps + 1)
        for (level, start) in starts.enumerated() {
            table += repeatElement(UInt8(level), count: max(start - table.count, 0))
        }
        return table + repeatElement(255, count: encodeSteps + 1 - table.count)
    }

    /// Converts three channels of `count` values, `distance` apart from each other, in place: to what ``encode`` takes.
    func convert(_ values: UnsafeMutablePointer<Float>, count: Int, distance: Int) {
        unsafe decode(values, count, distance)
        unsafe shine(values, count, distance)
        unsafe multiply(values, by: matrix, count, distance)
        unsafe mapGamut(values, count, distance)
        for channel in 0..<3 { unsafe Self.place(values + channel * distance, count, of: Self.encodeSteps) }
    }

    /// Looks up bytes of sRGB.
    func encode(
        _ values: UnsafePointer<Float>, to bytes: UnsafeMutablePointer<UInt8>, count: Int, distance: Int
    ) {
        unsafe encode.withUnsafeBufferPointer { table in
            for channel in 0..<3 {
                let (source, target) = unsafe (values + channel * distance, bytes + channel * distance)
                for x in 0..<count { unsafe target[x] = table[Int(source[x].bitPattern & 0xFFFF)] }
            }
        }
    }

    /// Converts to R'G'B' of the video's own transfer and primaries, 0 to 1, in place.
    func keep(_ values: UnsafeMutablePointer<Float>, count: Int, distance: Int) {
        guard let signal else { return }
        unsafe decode(values, count, distance)
        signal.withReader { signal in
            for channel in 0..<3 {
                let row = unsafe values + channel * distance
                for x in 0..<count { unsafe row[x] = signal[row[x]] }
            }
        }
    }

    /// Makes each value the nearest of `steps` from 0 to 1, in its low 16 bits; not a number counts as 0.
    ///
    /// A loop of its own, so that the compiler makes vectors of it: looking up can't be.
    @inline(__always)
    private static func place(_ values: UnsafeMutablePointer<Float>, _ count: Int, of steps: Int) {
        let scale = Float(steps)
        for x in 0..<count {
            let value = unsafe values[x]
            let clamped: Float = value > 0 ? value < 1 ? value : 1 : 0
            // Adding 2 to the 23 leaves the nearest integer in the low bits.
            unsafe values[x] = clamped * scale + 8_388_608
        }
    }

    /// To linear light of the video's primaries.
    @inline(__always)
    private func decode(_ values: UnsafeMutablePointer<Float>, _ count: Int, _ distance: Int) {
        unsafe constantLuminance?.convert(values, count: count, distance: distance)
        unsafe reshaper?.convert(values, count: count, distance: distance)
        if decode.isEmpty {
            for channel in 0..<3 {
                let row = unsafe values + channel * distance
                for x in 0..<count {
                    let value = unsafe row[x]
                    unsafe row[x] = value > 0 ? value < 1 ? value : 1 : 0
                }
            }
        } else {
            unsafe decode.withUnsafeBufferPointer { table in
                for channel in 0..<3 {
                    let row = unsafe values + channel * distance
                    unsafe Self.place(row, count, of: Self.decodeSteps)
                    for x in 0..<count { unsafe row[x] = table[Int(row[x].bitPattern & 0xFFFF)] }
                }
            }
        }
        if !lights.isEmpty { unsafe multiply(values, by: lights, count, distance) }
    }

    /// From the camera's light to the display's, and highlights to what SDR has room for.
    @inline(__always)
    private func shine(_ values: UnsafeMutablePointer<Float>, _ count: Int, _ distance: Int) {
        let (red, green, blue) = unsafe (values, values + distance, values + 2 * distance)
        if let display {
            let weights = luminances
            display.withReader { display in
                for x in 0..<count {
                    let luminance = unsafe weights.x * red[x] + weights.y * green[x] + weights.z * blue[x]
                    let factor = display[luminance]
                    unsafe (red[x], green[x], blue[x]) = unsafe (red[x] * factor, green[x] * factor, blue[x] * factor)
                }
            }
        }
        gain?.withReader { gain in
            for x in 0..<count {
                let (r, g, b) = unsafe (red[x], green[x], blue[x])
                let factor = gain[r > g ? r > b ? r : b : g > b ? g : b]
                unsafe (red[x], green[x], blue[x]) = unsafe (red[x] * factor, green[x] * factor, blue[x] * factor)
            }
        }
    }

    @inline(__always)
    private func multiply(_ values: UnsafeMutablePointer<Float>, by m: [Float], _ count: Int, _ distance: Int) {
        let (red, green, blue) = unsafe (values, values + distance, values + 2 * distance)
        let (a, b, c) = ((m[0], m[1], m[2]), (m[3], m[4], m[5]), (m[6], m[7], m[8]))
        for x in 0..<count {
            let (r, g, v) = unsafe (red[x], green[x], blue[x])
            unsafe red[x] = a.0 * r + a.1 * g + a.2 * v
            unsafe green[x] = b.0 * r + b.1 * g + b.2 * v
            unsafe blue[x] = c.0 * r + c.1 * g + c.2 * v
        }
    }

    @inline(__always)
    private func mapGamut(_ values: UnsafeMutablePointer<Float>, _ count: Int, _ distance: Int) {
        let (red, green, blue) = unsafe (values, values + distance, values + 2 * distance)
        let (low, high) = (-GamutMap.slack, 1 + GamutMap.slack)
        // The sign bit of anything that is outside: without branches, since most rows have nothing there.
        var signs: UInt32 = 0
        for x in 0..<count {
            let (r, g, b) = unsafe (red[x], green[x], blue[x])
            signs |= (r - low).bitPattern | (g - low).bitPattern | (b - low).bitPattern
            signs |= (high - r).bitPattern | (high - g).bitPattern | (high - b).bitPattern
        }
        if signs >> 31 == 0 { return }
        let map = GamutMap.shared
        for x in 0..<count {
            let (r, g, b) = unsafe (red[x], green[x], blue[x])
            let isInside = r >= low && g >= low && b >= low && r <= high && g <= high && b <= high
            if isInside { continue }
            let mapped = map(SIMD3(r, g, b))
            unsafe (red[x], green[x], blue[x]) = (mapped.x, mapped.y, mapped.z)
        }
    }
}
