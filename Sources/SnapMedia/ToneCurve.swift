/// Brings the light of HDR video to what SDR has room for: up to a knee nothing changes, above it highlights are drawn
/// together, so that the peak becomes white (the EETF of Report ITU-R BT.2390-11, 5.4.1, with black at 0).
struct ToneCurve: Sendable, Hashable {
    /// The luminance of SDR's white, in cd/m²: HDR's reference white (Report ITU-R BT.2408-7, 2.2).
    static let white = 203.0
    /// PQ's largest luminance, in cd/m².
    static let largest = 10_000.0

    /// The largest luminance in the video, in cd/m², ``white`` to ``largest``.
    let peak: Double
    private let peakSignal: Double
    /// Of white, the peak being 1.
    private let whiteSignal: Double
    /// Where the curve leaves the diagonal.
    private let knee: Double

    init(peak: Double) {
        self.peak = min(max(peak, Self.white), Self.largest)
        peakSignal = TransferFunction.pq.signal(ofLight: self.peak / Self.largest)
        whiteSignal = TransferFunction.pq.signal(ofLight: Self.white / Self.largest) / peakSignal
        knee = 1.5 * whiteSignal - 0.5
    }

    /// - Parameter light: 1 at ``white``.
    /// - Returns: 0 to 1.
    func callAsFunction(_ light: Double) -> Double {
        let signal = TransferFunction.pq.signal(ofLight: light * Self.white / Self.largest) / peakSignal
        if signal <= knee { return light }
        guard signal < 1, knee < 1 else { return 1 }
        let t = (signal - knee) / (1 - knee)
        let (t2, t3) = (t * t, t * t * t)
        let mapped =
            (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * whiteSignal
        return min(TransferFunction.pq.light(ofSignal: mapped * peakSignal) * Self.largest / Self.white, 1)
    }
}
