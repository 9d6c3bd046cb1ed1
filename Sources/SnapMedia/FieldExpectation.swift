import SnapBase

/// Whether the frames that are looked for will be asked for their neighbours.
struct FieldExpectation {
    /// Whether the stream is known to hold interlaced frames.
    private(set) var isKnown: Bool
    /// Whether frames without the flag need neighbours too, or none do; `nil` where the flag decides.
    private var demand: Bool? = false

    init(isKnown: Bool) { self.isKnown = isKnown }

    /// Whether all frames are decoded, and one more is kept.
    var isActive: Bool { demand ?? isKnown }

    mutating func follow(_ wish: Deinterlacing) {
        demand =
            switch wish {
            case .automatic: nil
            case .always, .top, .bottom: true
            case .never: false
            }
    }

    /// Takes notice of a frame.
    ///
    /// - Returns: Whether neighbours are needed from now on, and were not before.
    mutating func notice(_ frame: borrowing VideoFrame) -> Bool {
        guard frame.isInterlaced, !isKnown else { return false }
        isKnown = true
        return demand == nil
    }
}
