/// An MPEG-2 stream of field pictures, or of film with repeated fields: no encoder at hand writes either.
///
/// Every macroblock is an intra one that holds the means of its blocks (DC coefficients only), so that a few lines make all
/// of the stream (ITU-T H.262, 6.2). Both fields of a frame show its number.
struct MPEG2Pictures {
    static let width = 192
    /// Blocks of 8 samples of a frame, and of a field, lie within one block of ``FrameNumberPattern``.
    static let height = 160
    private static let keyDistance = 6

    enum Coding {
        /// Each picture is a field; the second of a key frame is a P picture.
        case fields(topFirst: Bool)
        /// As that, the field that comes second brighter by 12 of 255 levels than drawn.
        case unequalFields(topFirst: Bool)
        /// Each picture is a whole frame, shown for three fields and for two in turn (3:2 pulldown by flags).
        case film
    }

    let count: Int
    let coding: Coding

    var bytes: [UInt8] {
        (0..<count).flatMap { number in
            (number % Self.keyDistance == 0 ? heads : []) + frame(number)
        } + [0, 0, 1, 0xB7]
    }

    private func frame(_ number: Int) -> [UInt8] {
        let picture = FrameNumberPattern.picture(of: number, width: Self.width, height: Self.height)
        let isKey = number % Self.keyDistance == 0
        switch coding {
        case .fields(let topFirst): return fields(of: picture, picture, number, topFirst: topFirst)
        case .unequalFields(let topFirst):
            let bytes = picture.bytes.map { UInt8(min(255, Int($0) + 12)) }
            let brighter = RGBPicture(width: Self.width, height: Self.height, bytes: bytes)
            return fields(of: picture, brighter, number, topFirst: topFirst)
        case .film:
            // Top first and shown three fields long, bottom first, bottom first and three fields long, top first.
            let flags = [(true, true), (false, false), (false, true), (true, false)][number % 4]
            return self.picture(picture, number, isIntra: isKey, structure: 3, flags: flags)
        }
    }

    private func fields(
        of first: RGBPicture, _ second: RGBPicture, _ number: Int, topFirst: Bool
    ) -> [UInt8] {
        let isKey = number % Self.keyDistance == 0
        let (top, bottom) = (1, 2)
        return picture(first, number, isIntra: isKey, structure: topFirst ? top : bottom, flags: (false, false))
            + picture(second, number, isIntra: false, structure: topFirst ? bottom : top, flags: (false, false))
    }

    /// The headers of the sequence and of a closed group of pictures.
    private var heads: [UInt8] {
        var sequence = BitWriter()
        sequence.add(Self.width, bits: 12)
        sequence.add(Self.height, bits: 12)
        sequence.add(1, bits: 4)  // square pixels
        sequence.add(5, bits: 4)  // 30 frames a second
        sequence.add(20_000, bits: 18)  // 8 Mbit/s
        sequence.add(1, bits: 1)
        sequence.add(100, bits: 10)
        sequence.add(0, bits: 3)
        var `extension` = BitWriter()
        `extension`.add(1, bits: 4)
        `extension`.add(0x48, bits: 8)  // Main profile, main level
        `extension`.add(0b0_01_00_00, bits: 7)  // fields, 4:2:0
        `extension`.add(1, bits: 13)
        `extension`.add(0, bits: 16)
        var group = BitWriter()
        group.add(1 << 12, bits: 25)  // the time code 0
        group.add(0b10, bits: 2)  // closed
        group.align()
        return Self.unit(0xB3, sequence) + Self.unit(0xB5, `extension`) + Self.unit(0xB8, group)
    }

    /// - Parameters:
    ///   - structure: 1 for the top field, 2 for the bottom field, 3 for the frame.
    ///   - flags: Of a frame: whether the top field is first, whether the first one is repeated.
    private func picture(
        _ picture: RGBPicture, _ number: Int, isIntra: Bool, structure: Int, flags: (topFirst: Bool, repeats: Bool)
    ) -> [UInt8] {
        let isFrame = structure == 3
        var header = BitWriter()
        header.add(number % Self.keyDistance, bits: 10)  // temporal_reference
        header.add(isIntra ? 1 : 2, bits: 3)
        header.add(0xFFFF, bits: 16)
        if !isIntra { header.add(7, bits: 4) }
        header.add(0, bits: 1)
        header.align()
        var `extension` = BitWriter()
        `extension`.add(8, bits: 4)
        `extension`.add(isIntra ? 0xFFFF : 0x11FF, bits: 16)
        `extension`.add(structure, bits: 4)  // DC coefficients of 8 bits
        `extension`.add(flags.topFirst ? 1 : 0, bits: 1)
        `extension`.add(isFrame ? 1 : 0, bits: 1)  // frame_pred_frame_dct
        `extension`.add(0, bits: 4)
        `extension`.add(flags.repeats ? 1 : 0, bits: 1)
        `extension`.add(isFrame ? 0b110 : 0, bits: 3)  // progressive, or not
        `extension`.align()
        let rows = Self.height / (isFrame ? 16 : 32)
        let slices = (0..<rows).flatMap { row in
            Self.unit(UInt8(row + 1), slice(of: picture, row, isIntra: isIntra, structure: structure))
        }
        return Self.unit(0x00, header) + Self.unit(0xB5, `extension`) + slices
    }

    private func slice(of picture: RGBPicture, _ row: Int, isIntra: Bool, structure: Int) -> BitWriter {
        var bits = BitWriter()
        bits.add(1, bits: 5)
        bits.add(0, bits: 1)
        var predicted = 128
        for column in 0..<Self.width / 16 {
            bits.add(1, bits: 1)  // the next macroblock
            bits.add(isIntra ? 0b1 : 0b00011, bits: isIntra ? 1 : 5)
            for block in 0..<4 {
                let mean = Self.mean(
                    of: picture, x: 16 * column + 8 * (block % 2), y: 16 * row + 8 * (block / 2), structure: structure)
                Self.add(mean - predicted, to: &bits)
                predicted = mean
            }
            bits.add(0b0010_0010, bits: 8)  // no colour: two blocks without a difference
        }
        bits.align()
        return bits
    }

    /// The mean of a block's samples, which lie in every other line where the picture is a field.
    private static func mean(of picture: RGBPicture, x: Int, y: Int, structure: Int) -> Int {
        var sum = 0
        for line in y..<y + 8 {
            let row = structure == 3 ? line : 2 * line + structure - 1
            for column in x..<x + 8 { sum += 16 + Int(picture[column, row].green) * 219 / 255 }
        }
        return (sum + 32) / 64
    }

    /// The difference of a DC coefficient of luminance (H.262, table B.12), and that nothing else is in the block.
    private static func add(_ difference: Int, to bits: inout BitWriter) {
        let size = abs(difference).bitWidth - abs(difference).leadingZeroBitCount
        let codes = [(0b100, 3), (0b00, 2), (0b01, 2), (0b101, 3), (0b110, 3)]
        let (code, length) = size < 5 ? codes[size] : ((1 << (size - 1)) - 2, size - 1)
        bits.add(code, bits: length)
        bits.add(difference < 0 ? difference + (1 << size) - 1 : difference, bits: size)
        bits.add(0b10, bits: 2)
    }

    private static func unit(_ code: UInt8, _ payload: BitWriter) -> [UInt8] { [0, 0, 1, code] + payload.bytes }
}
