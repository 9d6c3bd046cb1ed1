import SnapBase

extension PeakLuminance {
    /// HLG's, on the reference display.
    static let hlg = PeakLuminance(luminance: 1000, source: .nominal)

    /// - Returns: `nil` where the metadata says nothing.
    init?(_ light: ContentLight) {
        if let brightest = light.scenePeak {
            self.init(luminance: brightest, source: .scene)
        } else if let brightest = light.brightestPixel {
            self.init(luminance: brightest, source: .contentLightLevel)
        } else if let peak = light.masteringPeak {
            self.init(luminance: peak, source: .masteringDisplay)
        } else {
            return nil
        }
    }

    /// Looks at planes of PQ signals.
    ///
    /// - Parameters:
    ///   - planes: 4:4:4 of 16 bits.
    ///   - part: Looked at, some 16,000 pixels of it.
    ///   - signals: From a pixel's three samples.
    init(
        measuring planes: borrowing PlanarFrame, part: PixelRectangle, _ signals: (SIMD3<Double>) -> SIMD3<Double>
    ) throws(PictureError) {
        let sources = (try planes.plane(of: 0), try planes.plane(of: 1), try planes.plane(of: 2))
        let step = max(1, Int((Double(part.width) * Double(part.height) / 16384).squareRoot()))
        var histogram = [Int](repeating: 0, count: Self.bins)
        var count = 0
        for y in stride(from: step / 2, to: part.height, by: step) {
            let rows = { (plane: PlanarFrame.Plane) in
                unsafe UnsafePointer(plane.row(part.y + y, of: UInt16.self) + part.x)
            }
            let samples = unsafe (rows(sources.0), rows(sources.1), rows(sources.2))
            for x in stride(from: step / 2, to: part.width, by: step) {
                let values = unsafe SIMD3(Double(samples.0[x]), Double(samples.1[x]), Double(samples.2[x]))
                let signals = signals(values)
                let signal = max(signals.x, max(signals.y, signals.z))
                histogram[Int(min(max(signal, 0), 1) * Double(Self.bins - 1))] += 1
                count += 1
            }
        }
        var left = count / 1000
        var bin = Self.bins - 1
        while bin > 0, histogram[bin] <= left {
            left -= histogram[bin]
            bin -= 1
        }
        let signal = Double(bin + 1) / Double(Self.bins)
        self.init(
            luminance: max(TransferFunction.pq.light(ofSignal: signal) * ToneCurve.largest, 1), source: .measured)
    }

    private static let bins = 1024
}
