/// What a video parameter set says of a second layer (ITU-T H.265, 7.3.2.1 and F.7.3.2.1).
struct HEVCSecondLayer {
    /// What it is beside the pictures (`AuxId`, table F.2): 1 is alpha, 2 depth; 0 for more pictures.
    private(set) var auxiliary = 0
    /// Whether its pictures are predicted from the first one's.
    private(set) var isDependent = false
    /// Whether the headers of its IDR slices say their place in the order, as those of the first layer never do
    /// (`poc_lsb_not_present_flag` of 0); `nil` where that can't be made out.
    private(set) var hasOrderInEntries: Bool?

    /// - Returns: `nil` where a set knows of one layer, of more than two, or can't be read that far.
    init?(_ unit: HEVCUnit) {
        guard unit.isVideoParameterSet else { return nil }
        var bits = BitReader(unit.payload)
        bits.skip(4)
        // The first layer is in the stream; there are two.
        guard bits.bits(2) == 3, bits.bits(6) == 1 else { return nil }
        let subLayers = bits.bits(3)
        bits.skip(17)
        Self.skipProfiles(&bits, hasGeneral: true, subLayers)
        let hasAll = bits.flag()
        for _ in (hasAll ? 0 : subLayers)...subLayers { for _ in 0..<3 { _ = bits.exponential() } }
        let names = bits.bits(6) + 1
        let sets = bits.exponential() + 1
        guard sets <= 2, !bits.isPastEnd else { return nil }
        let layersInSet = sets == 2 ? (0..<names).count { _ in bits.flag() } : 1
        if bits.flag() {
            bits.skip(64)
            if bits.flag() { _ = bits.exponential() }
            guard bits.exponential() == 0 else { return nil }  // what is said of buffers
        }
        guard bits.flag() else { return nil }
        bits.align()
        readExtension(&bits, subLayers, sets: sets, layersInSet: layersInSet)
        if bits.isPastEnd { hasOrderInEntries = nil }
    }

    /// `vps_extension()`, for two layers. What is not understood ends it.
    private mutating func readExtension(_ bits: inout BitReader, _ subLayers: Int, sets: Int, layersInSet: Int) {
        Self.skipProfiles(&bits, hasGeneral: false, subLayers)
        let isSplit = bits.flag()
        let kinds = (0..<16).filter { _ in bits.flag() }
        if isSplit { return }
        let lengths = kinds.map { _ in bits.bits(3) + 1 }
        if bits.flag() { bits.skip(6) }
        var views = 1
        for (kind, length) in zip(kinds, lengths) {
            let value = bits.bits(length)
            if kind == 3 { auxiliary = value }
            if kind == 1, value > 0 { views = 2 }
        }
        bits.skip(bits.bits(4) * views)
        isDependent = bits.flag()
        if isDependent { return }
        let added = bits.exponential()
        bits.skip(added)
        guard sets + added == 2 else { return }
        if bits.flag() { bits.skip(6) }
        bits.skip(2)  // what is predicted from which sub-layer: of one that is predicted from none, nothing more
        let profiles = bits.exponential()
        for _ in 0..<min(max(profiles - 1, 0), 64) {
            let hasGeneral = bits.flag()
            Self.skipProfiles(&bits, hasGeneral: hasGeneral, subLayers)
        }
        guard bits.exponential() == 0 else { return }  // further sets of what is put out
        let output = bits.bits(2)
        // Of the second set of layers: which are put out, and by which profile they are decoded.
        let isNamed = added == 1 || output == 2
        if isNamed { bits.skip(layersInSet) }
        if profiles > 0 { bits.skip(layersInSet * (Int.bitWidth - profiles.leadingZeroBitCount)) }
        guard bits.exponential() == 0, !bits.isPastEnd else { return }  // several formats
        bits.skip(32)
        guard bits.flag() else { return }
        if bits.bits(2) == 3 { bits.skip(1) }
        bits.skip(8)
        if bits.flag() { for _ in 0..<4 { _ = bits.exponential() } }
        bits.skip(2)
        hasOrderInEntries = !bits.flag()
    }

    /// `profile_tier_level()` (7.3.3).
    private static func skipProfiles(_ bits: inout BitReader, hasGeneral: Bool, _ subLayers: Int) {
        bits.skip(hasGeneral ? 96 : 8)
        guard subLayers > 0 else { return }
        let present = (0..<subLayers).map { _ in (profile: bits.flag(), level: bits.flag()) }
        bits.skip(2 * (8 - subLayers))
        for (profile, level) in present {
            if profile { bits.skip(88) }
            if level { bits.skip(8) }
        }
    }
}
