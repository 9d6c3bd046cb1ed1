import SnapBase

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A display's profile of the colours of a picture that keeps PQ or HLG, for programs that don't know cICP (ICC.1:2022).
///
/// Three curves and a matrix, in which HDR's reference white is white, and what is brighter is white too: as
/// `--hdr clip` shows it, but for hues beyond the screen's and HLG's system gamma, which is each channel's own here. A
/// `cicp` tag (9.2.17) says what the numbers are, for programs that show HDR.
struct ICCProfile {
    let bytes: [UInt8]

    /// X, Y and Z of the connection space's white, D50 (7.2.16).
    private static let white: SIMD3<Double> = [0.9642, 1, 0.8249]

    init(_ colour: PictureColour) {
        let kept = KeptColour(colour)
        let adaptation = kept.primaries.adaptation(to: Self.white)
        let colorants = (adaptation * kept.primaries.toXYZ).transposed.rows
        // What is written once may be named by several tags (7.3.1).
        let contents: [(tags: [String], content: [UInt8])] = [
            (["desc"], Self.text("CICP \(colour.primaries)/\(colour.transfer)/0/1")),
            (["cprt"], Self.text("CC0")),
            (["wtpt"], Self.point(Self.white)),
            (["chad"], Self.head("sf32") + Self.numbers(adaptation)),
            (["rXYZ"], Self.point(colorants.0)), (["gXYZ"], Self.point(colorants.1)),
            (["bXYZ"], Self.point(colorants.2)),
            (["rTRC", "gTRC", "bTRC"], Self.curve(kept)),
            (["cicp"], Self.head("cicp") + [colour.primaries, colour.transfer, 0, 1]),
        ]
        let count = contents.reduce(0) { $0 + $1.tags.count }
        var table = BigEndian.word(UInt32(count))
        var data: [UInt8] = []
        for (tags, content) in contents {
            let offset = Self.headerSize + 4 + 12 * count + data.count
            for tag in tags {
                table += Array(tag.utf8) + BigEndian.word(UInt32(offset)) + BigEndian.word(UInt32(content.count))
            }
            data += content + repeatElement(0, count: -content.count & 3)
        }
        bytes = Self.header(size: Self.headerSize + table.count + data.count) + table + data
    }

    private static let headerSize = 128

    /// 7.2: version 4.4, of a display, from RGB to XYZ, relative colorimetry.
    private static func header(size: Int) -> [UInt8] {
        var header = BigEndian.word(UInt32(size)) + [0, 0, 0, 0] + [4, 0x40, 0, 0]
        header += Array("mntrRGB XYZ ".utf8)
        // A date is obligatory: the standard's, so that equal pictures are equal files.
        header += ([2022, 5, 1, 0, 0, 0] as [UInt16]).flatMap(BigEndian.half)
        header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 24) + BigEndian.word(1)
        header += numbers(white)
        return header + repeatElement(0, count: headerSize - header.count)
    }

    private static func head(_ type: String) -> [UInt8] { Array(type.utf8) + [0, 0, 0, 0] }

    /// 10.15: a record of 12 bytes, and UTF-16 behind it.
    private static func text(_ text: String) -> [UInt8] {
        let characters = text.utf16.flatMap(BigEndian.half)
        let sizes = [1, 12].flatMap { BigEndian.word($0) }
        let place = [UInt32(characters.count), 28].flatMap(BigEndian.word)
        return head("mluc") + sizes + Array("enUS".utf8) + place + characters
    }

    private static func point(_ point: SIMD3<Double>) -> [UInt8] { head("XYZ ") + numbers(point) }

    private static func numbers(_ matrix: Matrix3) -> [UInt8] {
        numbers(matrix.rows.0) + numbers(matrix.rows.1) + numbers(matrix.rows.2)
    }

    /// s15Fixed16Number (4.6).
    private static func numbers(_ values: SIMD3<Double>) -> [UInt8] {
        [values.x, values.y, values.z].flatMap { value in
            BigEndian.word(UInt32(bitPattern: Int32((value * 65536).rounded())))
        }
    }

    /// 10.6: light at equal distances of the signal.
    private static func curve(_ kept: KeptColour) -> [UInt8] {
        let last = 1023
        let points = (0...last).map { UInt16(kept.greyLight(ofSignal: Double($0) / Double(last)) * 65535 + 0.5) }
        return head("curv") + BigEndian.word(UInt32(points.count)) + points.flatMap(BigEndian.half)
    }
}
