/// What of an AV1 sequence header is needed to read frame headers up to `refresh_frame_flags` (AV1 specification, 5.5).
struct AV1SequenceHeader {
    /// The bits of a frame's number; 0 where frames have none.
    private var frameIDBits = 0
    private var orderHintBits = 0
    private enum Choice { case fixed(Bool), perFrame }
    private var screenContentTools = Choice.perFrame
    private var integerMotion = Choice.perFrame

    // MARK: Open bitstream units (5.3 and 5.4)

    private enum UnitType { static let (sequence, delimiter, frameHeader, metadata, frame) = (1, 2, 3, 5, 6) }
    private static let (tileGroup, padding) = (4, 15)
    /// More than any header takes up to what is read of it.
    private static let headerLimit = 64

    /// An AV1CodecConfigurationRecord (AV1 in ISO base media, 2.3), or the units themselves.
    ///
    /// - Returns: `nil` where there is no header, or one that says more than is read here.
    init?(configuration bytes: [UInt8]) {
        let units = bytes.first == 0x81 ? Array(bytes.dropFirst(4)) : bytes
        var found: AV1SequenceHeader?
        _ = Self.forEachUnit(in: units.span) { type, content in
            if type == UnitType.sequence { found = AV1SequenceHeader(content) }
            return found == nil
        }
        guard let found else { return nil }
        self = found
    }

    /// The role of a temporal unit, which shows one frame and may hold others that are shown later.
    ///
    /// - Parameter sequence: The header in force; replaced by one that the unit holds.
    static func role(of bytes: Span<UInt8>, _ sequence: inout AV1SequenceHeader?) -> PictureRole? {
        var role: PictureRole?
        let isSound = forEachUnit(in: bytes) { type, content in
            switch type {
            case UnitType.sequence:
                sequence = AV1SequenceHeader(content)
                role = PictureRole(isReference: true)
            case UnitType.frame, UnitType.frameHeader:
                guard role?.isReference != true else { break }
                role = PictureRole(isReference: sequence?.isReference(content) ?? true)
            case UnitType.delimiter, UnitType.metadata, tileGroup, padding: break
            default: role = PictureRole(isReference: true)
            }
            return true
        }
        return isSound ? role : nil
    }

    /// Calls `body` with each unit's type and the start of its content, as long as it returns true.
    private static func forEachUnit(in bytes: Span<UInt8>, _ body: (Int, [UInt8]) -> Bool) -> Bool {
        var place = 0
        while place < bytes.count {
            let header = bytes[place]
            place += header & 4 != 0 ? 2 : 1
            var size = bytes.count - place
            if header & 2 != 0 {
                size = 0
                var shift = 0
                while true {  // leb128
                    guard place < bytes.count, shift < 35 else { return false }
                    size |= Int(bytes[place] & 127) << shift
                    place += 1
                    shift += 7
                    if bytes[place - 1] & 128 == 0 { break }
                }
            }
            guard size >= 0, size <= bytes.count - place else { return false }
            let content = (place..<place + min(size, headerLimit)).map { bytes[$0] }
            guard body(Int(header >> 3 & 15), content) else { return true }
            place += size
        }
        return true
    }

    // MARK: Headers

    private init?(_ content: [UInt8]) {
        var bits = BitReader(content)
        bits.skip(4)  // seq_profile, still_picture
        if bits.flag() { return nil }  // reduced_still_picture_header
        if bits.flag() {  // timing_info_present_flag
            bits.skip(32)
            bits.skip(32)
            if bits.flag() { bits.skipVariableLength() }
            if bits.flag() { return nil }  // decoder_model_info_present_flag, which puts times into frame headers
        }
        let hasDisplayDelays = bits.flag()
        for _ in 0...bits.bits(5) {  // operating points
            bits.skip(12)
            if bits.bits(5) > 7 { bits.skip(1) }
            if hasDisplayDelays, bits.flag() { bits.skip(4) }
        }
        let (widthBits, heightBits) = (bits.bits(4) + 1, bits.bits(4) + 1)
        bits.skip(widthBits)
        bits.skip(heightBits)
        if bits.flag() {  // frame_id_numbers_present_flag
            let delta = bits.bits(4) + 2
            frameIDBits = delta + bits.bits(3) + 1
        }
        bits.skip(7)  // use_128x128_superblock … enable_dual_filter
        let hasOrderHints = bits.flag()
        if hasOrderHints { bits.skip(2) }
        screenContentTools = Self.choice(&bits)
        if case .fixed(false) = screenContentTools {} else { integerMotion = Self.choice(&bits) }
        if hasOrderHints { orderHintBits = bits.bits(3) + 1 }
        if bits.isPastEnd { return nil }
    }

    private static func choice(_ bits: inout BitReader) -> Choice { bits.flag() ? .perFrame : .fixed(bits.flag()) }

    /// Whether a frame is kept for others (5.9.2). All that it leaves behind is kept with it.
    private func isReference(_ content: [UInt8]) -> Bool {
        var bits = BitReader(content)
        let interFrame = 1
        // One that is shown again may be a key frame, which then counts as decoded anew.
        if bits.flag() || bits.bits(2) != interFrame { return true }
        if !bits.flag() { bits.skip(1) }  // show_frame, showable_frame
        let isErrorResilient = bits.flag()
        bits.skip(1)  // disable_cdf_update
        let usesScreenContentTools = Self.isOn(screenContentTools, &bits)
        if usesScreenContentTools, case .perFrame = integerMotion { bits.skip(1) }
        bits.skip(frameIDBits)
        bits.skip(1)  // frame_size_override_flag
        bits.skip(orderHintBits)
        if !isErrorResilient { bits.skip(3) }  // primary_ref_frame
        return bits.bits(8) != 0 || bits.isPastEnd
    }

    private static func isOn(_ choice: Choice, _ bits: inout BitReader) -> Bool {
        switch choice {
        case .fixed(let value): value
        case .perFrame: bits.flag()
        }
    }
}
