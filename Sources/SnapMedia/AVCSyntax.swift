/// What is read of a slice of H.264 (ITU-T H.264, 7.3.3 and 7.4.3).
struct AVCSlice {
    /// Of its frame: `frame_num`, below ``numberCount``.
    var number: Int
    var numberCount: Int
    var isReference: Bool
    /// Whether it is predicted from nothing but its own picture.
    var isIntra: Bool
    var isIDR: Bool
    var isField = false
    /// Whether frames may be left out before it on purpose: `gaps_in_frame_num_value_allowed_flag`.
    var mayFollowGap: Bool
    /// Whether the frame behind it is numbered as if this one were 0; `nil` where that is not known.
    var startsNumbersAnew: Bool?
}

/// Reads the headers of H.264, with the parameter sets that they refer to.
struct AVCSyntax {
    private var units = NALUnits.behindStartCodes
    private var sequences: [Int: SequenceParameters] = [:]
    private var pictures: [Int: PictureParameters] = [:]

    /// A sequence parameter set (7.3.2.1.1).
    private struct SequenceParameters {
        var colourPlanesAreCodedAlone = false
        var hasChroma = true
        var numberBits = 4
        var orderType = 0
        var orderBits = 0
        var orderIsGiven = true
        var mayHaveGaps = false
        var framesOnly = true
    }

    /// A picture parameter set (7.3.2.2).
    private struct PictureParameters {
        var sequence: Int
        var hasOrderOfFields = false
        /// How many pictures lists 0 and 1 hold, where a slice says nothing else.
        var referenceCounts = [1, 1]
        var weightsForward = false
        var weightsBoth = false
        var hasRedundantPictures = false
        /// Whether all was read: not where slices are in groups.
        var isComplete = false
    }

    /// How many bytes are read of a slice's header and of a parameter set: enough for most; of one that is longer, the end
    /// is not known.
    private static let (sliceLength, setLength) = (64, 512)

    /// How many parameter sets are read of a packet: more than there are names for.
    private static let mostSets = 300

    init(configuration: [UInt8]) { configure(configuration) }

    /// - Parameter extradata: An AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1), or parameter sets behind start
    ///   codes.
    mutating func configure(_ extradata: [UInt8]) {
        units = NALUnits(avcConfiguration: extradata)
        guard case .behindLengths = units else {
            _ = firstSlice(in: extradata.span)
            return
        }
        var place = 5
        for mask: UInt8 in [0x1F, 0xFF] {  // of sequences, then of pictures
            guard place < extradata.count else { return }
            let count = extradata[place] & mask
            place += 1
            for _ in 0..<count {
                guard place + 2 < extradata.count else { return }
                let length = Int(extradata[place]) << 8 | Int(extradata[place + 1])
                guard length > 0, length <= extradata.count - place - 2 else { return }
                readParameters(extradata.span, place + 2)
                place += 2 + length
            }
        }
    }

    /// Takes note of the parameter sets on the way to it.
    ///
    /// - Returns: `nil` where there is none, or none that can be read.
    mutating func firstSlice(in bytes: Span<UInt8>) -> AVCSlice? {
        var slice: AVCSlice?
        var setCount = 0
        _ = units.forEach(in: bytes) { place in
            switch bytes[place] & 31 {
            case 1, 2, 5:
                slice = readSlice(bytes, place)
                return false
            case 7, 8:
                setCount += 1
                guard setCount <= Self.mostSets else { return false }
                readParameters(bytes, place)
            default: break
            }
            return true
        }
        return slice
    }

    // MARK: Parameter sets

    private mutating func readParameters(_ bytes: Span<UInt8>, _ place: Int) {
        var bits = BitReader(Self.payload(bytes, place, length: Self.setLength))
        if bytes[place] & 31 == 7 { readSequence(&bits) } else { readPicture(&bits) }
    }

    private mutating func readSequence(_ bits: inout BitReader) {
        var sequence = SequenceParameters()
        let profile = bits.bits(8)
        bits.skip(16)
        let id = bits.exponential()
        if [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135].contains(profile) {
            let chroma = bits.exponential()
            if chroma == 3 { sequence.colourPlanesAreCodedAlone = bits.flag() }
            sequence.hasChroma = chroma != 0 && !sequence.colourPlanesAreCodedAlone
            _ = (bits.exponential(), bits.exponential())  // depths
            bits.skip(1)
            if bits.flag() { Self.skipScalingLists(&bits, count: chroma == 3 ? 12 : 8) }
        }
        sequence.numberBits = bits.exponential() + 4
        sequence.orderType = bits.exponential()
        switch sequence.orderType {
        case 0: sequence.orderBits = bits.exponential() + 4
        case 1:
            sequence.orderIsGiven = !bits.flag()
            _ = (bits.exponential(), bits.exponential())
            for _ in 0..<min(bits.exponential(), 255) { _ = bits.exponential() }
        default: break
        }
        _ = bits.exponential()  // how many frames are kept
        sequence.mayHaveGaps = bits.flag()
        _ = (bits.exponential(), bits.exponential())  // size
        sequence.framesOnly = bits.flag()
        guard id < 32 else { return }
        // One that can't be read replaces an earlier one too.
        sequences[id] = bits.isPastEnd || max(sequence.numberBits, sequence.orderBits) > 16 ? nil : sequence
    }

    private static func skipScalingLists(_ bits: inout BitReader, count: Int) {
        for list in 0..<count where bits.flag() {
            var (last, next) = (8, 8)
            for _ in 0..<(list < 6 ? 16 : 64) where next != 0 {
                next = (last + bits.signedExponential()) & 255
                if next != 0 { last = next }
            }
        }
    }

    private mutating func readPicture(_ bits: inout BitReader) {
        let id = bits.exponential()
        var picture = PictureParameters(sequence: bits.exponential())
        bits.skip(1)
        picture.hasOrderOfFields = bits.flag()
        let hasGroups = bits.exponential() > 0
        picture.referenceCounts = [bits.exponential() + 1, bits.exponential() + 1]
        picture.weightsForward = bits.flag()
        picture.weightsBoth = bits.bits(2) == 1
        _ = (bits.exponential(), bits.exponential(), bits.exponential())  // quantizers
        bits.skip(2)
        picture.hasRedundantPictures = bits.flag()
        picture.isComplete = !hasGroups
        guard id < 256 else { return }
        pictures[id] = bits.isPastEnd && !hasGroups ? nil : picture
    }

    // MARK: Slices

    private enum SliceType { static let (forward, both, intra, switchingForward, switchingIntra) = (0, 1, 2, 3, 4) }

    private func readSlice(_ bytes: Span<UInt8>, _ place: Int) -> AVCSlice? {
        var bits = BitReader(Self.payload(bytes, place, length: Self.sliceLength))
        _ = bits.exponential()  // where it begins
        let type = bits.exponential() % 5
        guard let picture = pictures[bits.exponential()], let sequence = sequences[picture.sequence] else { return nil }
        if sequence.colourPlanesAreCodedAlone { bits.skip(2) }
        let number = bits.bits(sequence.numberBits)
        if bits.isPastEnd { return nil }
        var slice = AVCSlice(
            number: number, numberCount: 1 << sequence.numberBits, isReference: bytes[place] >> 5 & 3 != 0,
            isIntra: [SliceType.intra, SliceType.switchingIntra].contains(type), isIDR: bytes[place] & 31 == 5,
            mayFollowGap: sequence.mayHaveGaps, startsNumbersAnew: false)
        slice.isField = !sequence.framesOnly && bits.flag()
        if slice.isField { bits.skip(1) }
        if slice.isReference, !slice.isIDR {
            slice.startsNumbersAnew = startsNumbersAnew(&bits, type, isField: slice.isField, picture, sequence)
        }
        return slice
    }

    /// Reads the rest of a reference slice's header, behind number and field, up to what becomes of earlier references.
    private func startsNumbersAnew(
        _ bits: inout BitReader, _ type: Int, isField: Bool, _ picture: PictureParameters,
        _ sequence: SequenceParameters
    ) -> Bool? {
        guard picture.isComplete else { return nil }
        let hasOrderOfFields = picture.hasOrderOfFields && !isField
        switch sequence.orderType {
        case 0:
            bits.skip(sequence.orderBits)
            if hasOrderOfFields { _ = bits.exponential() }
        case 1 where sequence.orderIsGiven:
            _ = bits.exponential()
            if hasOrderOfFields { _ = bits.exponential() }
        default: break
        }
        if picture.hasRedundantPictures { _ = bits.exponential() }
        let isBoth = type == SliceType.both
        let isPredicted = isBoth || type == SliceType.forward || type == SliceType.switchingForward
        if isBoth { bits.skip(1) }
        var counts = isBoth ? picture.referenceCounts : isPredicted ? [picture.referenceCounts[0]] : []
        if isPredicted, bits.flag() { counts = counts.map { _ in bits.exponential() + 1 } }
        for _ in counts where bits.flag() { while !bits.isPastEnd, bits.exponential() != 3 { _ = bits.exponential() } }
        if isBoth ? picture.weightsBoth : isPredicted && picture.weightsForward {
            Self.skipWeights(&bits, counts, hasChroma: sequence.hasChroma)
        }
        guard !bits.isPastEnd else { return nil }
        return Self.forgetsAll(&bits)
    }

    private static func skipWeights(_ bits: inout BitReader, _ counts: [Int], hasChroma: Bool) {
        _ = bits.exponential()
        if hasChroma { _ = bits.exponential() }
        for count in counts {
            for _ in 0..<min(count, 32) {
                if bits.flag() { _ = (bits.exponential(), bits.exponential()) }
                if hasChroma, bits.flag() { for _ in 0..<4 { _ = bits.exponential() } }
            }
        }
    }

    /// Decoded reference picture marking (7.3.3.3) of a picture that is no IDR picture.
    private static func forgetsAll(_ bits: inout BitReader) -> Bool? {
        guard bits.flag() else { return bits.isPastEnd ? nil : false }
        var forgetsAll = false
        while true {
            let operation = bits.exponential()
            if bits.isPastEnd { return nil }
            switch operation {
            case 0: return forgetsAll
            case 3: _ = (bits.exponential(), bits.exponential())
            case 5: forgetsAll = true
            default: _ = bits.exponential()
            }
        }
    }

    /// The start of a unit behind its first byte, without the bytes that keep start codes out of it (7.4.1.1).
    private static func payload(_ bytes: Span<UInt8>, _ place: Int, length: Int) -> [UInt8] {
        var payload: [UInt8] = []
        payload.reserveCapacity(length)
        var zeros = 0
        for index in place + 1..<max(place + 1, min(bytes.count, place + 1 + length)) {
            if zeros >= 2, bytes[index] <= 3 {
                if bytes[index] < 3 { break }  // the next start code
                zeros = 0
                continue
            }
            zeros = bytes[index] == 0 ? zeros + 1 : 0
            payload.append(bytes[index])
        }
        return payload
    }
}
