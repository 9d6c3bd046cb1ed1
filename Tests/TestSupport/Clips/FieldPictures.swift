/// An H.264 stream whose pictures are single fields (PAFF): no encoder at hand writes any.
///
/// Every macroblock holds its samples as they are (I_PCM), so that a few lines make all of the stream (ITU-T H.264,
/// 7.3). Both fields of a frame show its number.
struct FieldPictures {
    private static let width = 192
    private static let height = 96
    private static let keyDistance = 5

    let count: Int
    let topFirst: Bool
    /// Whether the stream ends within the last pair.
    var lacksLastField = false

    /// Annex B: units behind start codes.
    var bytes: [UInt8] {
        (0..<count).flatMap { number -> [UInt8] in
            let picture = FrameNumberPattern.picture(of: number, width: Self.width, height: Self.height)
            let isKey = number % Self.keyDistance == 0
            let sets = isKey ? Self.unit(0x67, sequenceParameters) + Self.unit(0x68, pictureParameters) : []
            let first = field(of: picture, number, isBottom: !topFirst, isKey: isKey)
            let isLone = lacksLastField && number == count - 1
            return sets + first + (isLone ? [] : field(of: picture, number, isBottom: topFirst, isKey: false))
        }
    }

    private var sequenceParameters: BitWriter {
        var bits = BitWriter()
        bits.add([77, 0, 30])  // Main profile, level 3
        bits.addUnsigned(0)  // identifier
        bits.addUnsigned(0)  // frame numbers of 4 bits
        bits.addUnsigned(2)  // output in the order of decoding
        bits.addUnsigned(1)  // one reference frame
        bits.add(0, bits: 1)
        bits.addUnsigned(Self.width / 16 - 1)
        bits.addUnsigned(Self.height / 32 - 1)
        bits.add(0, bits: 1)  // not only frames
        bits.add(0, bits: 1)  // no adaptive macroblocks
        bits.add(1, bits: 1)
        bits.add(0, bits: 2)  // no cropping, no usability information
        bits.end()
        return bits
    }

    private var pictureParameters: BitWriter {
        var bits = BitWriter()
        bits.addUnsigned(0)
        bits.addUnsigned(0)
        bits.add(0, bits: 2)  // CAVLC
        for _ in 0..<3 { bits.addUnsigned(0) }
        bits.add(0, bits: 3)
        for _ in 0..<3 { bits.addUnsigned(0) }
        bits.add(0b100, bits: 3)  // slices say how they are deblocked
        bits.end()
        return bits
    }

    private func field(of picture: RGBPicture, _ number: Int, isBottom: Bool, isKey: Bool) -> [UInt8] {
        var bits = BitWriter()
        bits.addUnsigned(0)
        bits.addUnsigned(7)  // intra slices only
        bits.addUnsigned(0)
        bits.add(number % Self.keyDistance, bits: 4)
        bits.add(1, bits: 1)  // a field
        bits.add(isBottom ? 1 : 0, bits: 1)
        if isKey { bits.addUnsigned(number / Self.keyDistance % 2) }
        bits.add(0, bits: isKey ? 2 : 1)  // references leave in the order they came
        bits.addUnsigned(0)
        bits.addUnsigned(1)  // no deblocking
        for row in 0..<Self.height / 32 {
            for column in 0..<Self.width / 16 {
                bits.addUnsigned(25)  // I_PCM
                bits.align()
                for y in 0..<16 {
                    let line = 2 * (16 * row + y) + (isBottom ? 1 : 0)
                    bits.add((0..<16).map { UInt8(16 + Int(picture[16 * column + $0, line].green) * 219 / 255) })
                }
                bits.add([UInt8](repeating: 128, count: 128))
            }
        }
        bits.end()
        return Self.unit(isKey ? 0x25 : 0x21, bits)
    }

    private static func unit(_ header: UInt8, _ payload: BitWriter) -> [UInt8] {
        [0] + NALUnit.behindStartCode([header] + payload.bytes)
    }
}
