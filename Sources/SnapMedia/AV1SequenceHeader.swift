/// What of an AV1 sequence header is needed to read frame headers up to `ref_frame_idx` (AV1 specification, 5.5).
struct AV1SequenceHeader {
    /// The bits of a frame's number; 0 where frames have none.
    private var frameIDBits = 0
    private var frameIDDeltaBits = 0
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
        var slots = SlotUse()
        var hasFrame = false
        let isSound = forEachUnit(in: bytes) { type, content in
            switch type {
            case UnitType.sequence:
                sequence = AV1SequenceHeader(content)
                slots.append(SlotUse(writes: .max))  // whatever follows needs it
            case UnitType.frame, UnitType.frameHeader:
                hasFrame = true
                slots.append(sequence?.slots(content) ?? .unknown)
            case UnitType.delimiter, UnitType.metadata, tileGroup, padding: break
            default: slots.append(.unknown)
            }
            return true
        }
        guard isSound, hasFrame else { return nil }
        // A frame that is shown again may be a key frame, from which all slots are then written.
        return PictureRole(isReference: slots.writes | slots.showsAgain != 0, slots: slots)
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
            frameIDDeltaBits = bits.bits(4) + 2
            frameIDBits = frameIDDeltaBits + bits.bits(3) + 1
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

    /// What a frame does with the slots (5.9.2).
    private func slots(_ content: [UInt8]) -> SlotUse {
        var bits = BitReader(content)
        let (keyFrame, interFrame) = (0, 1)
        if bits.flag() { return SlotUse(showsAgain: 1 << UInt8(bits.bits(3))) }
        let type = bits.bits(2)
        let isShown = bits.flag()
        if type == keyFrame, isShown { return SlotUse(writes: .max, replaces: .max) }
        if type != interFrame { return .unknown }
        if !isShown { bits.skip(1) }  // showable_frame
        let isErrorResilient = bits.flag()
        bits.skip(1)  // disable_cdf_update
        let usesScreenContentTools = Self.isOn(screenContentTools, &bits)
        if usesScreenContentTools, case .perFrame = integerMotion { bits.skip(1) }
        bits.skip(frameIDBits)
        bits.skip(1)  // frame_size_override_flag
        bits.skip(orderHintBits)
        if !isErrorResilient { bits.skip(3) }  // primary_ref_frame, one of those below
        let written = UInt8(bits.bits(8))
        if isErrorResilient, orderHintBits > 0 { for _ in 0..<8 { bits.skip(orderHintBits) } }
        // Written shorter, what is read follows from the frames in the slots.
        if orderHintBits > 0, bits.flag() { return SlotUse(reads: .max, writes: written, replaces: written) }
        var read: UInt8 = 0
        for _ in 0..<7 {
            read |= 1 << UInt8(bits.bits(3))
            bits.skip(frameIDDeltaBits)
        }
        return bits.isPastEnd ? .unknown : SlotUse(reads: read, writes: written, replaces: written)
    }

    private static func isOn(_ choice: Choice, _ bits: inout BitReader) -> Bool {
        switch choice {
        case .fixed(let value): value
        case .perFrame: bits.flag()
        }
    }
}
