/// An MP4 of H.265 with alpha as a second layer, put together from two of one layer each (ITU-T H.265, annex F; Apple's
/// "HEVC Video with Alpha"): no encoder at hand makes one.
public struct LayeredMovie {
    private var boxes: [ISOBox]
    private let pictures: [[UInt8]]
    /// The units of the second layer, behind their lengths; `nil` for no alpha beside a picture.
    public var alphas: [[UInt8]?]
    private let alphaSets: [[UInt8]]
    /// What the message "alpha channel information" says (F.14.2.8).
    public var message: [UInt8]

    /// - Parameters:
    ///   - pictures: An MP4 of H.265.
    ///   - alphas: Another, with the same pictures in the same order, whose luma is the opacity.
    ///   - isPremultiplied: Whether the pictures' colours are said to be multiplied by it.
    public init(pictures: Clip, alphas: Clip, isPremultiplied: Bool) throws {
        guard try FFmpegOracle.packetTimes(of: pictures.path()) == FFmpegOracle.packetTimes(of: alphas.path()) else {
            throw ProcessError("\(pictures) and \(alphas) differ in order")
        }
        boxes = try ISOBox.parse(try pictures.bytes()[...])
        self.pictures = try Self.samples(of: pictures)
        self.alphas = try Self.samples(of: alphas).map { sample in
            Self.units(of: sample).filter { unit in
                let type = unit[0] >> 1 & 63
                return type < 32 || type == 40  // pictures and their hashes
            }.flatMap { Self.behindLength(Self.inSecondLayer($0)) }
        }
        alphaSets = try Self.sets(of: alphas).filter { [33, 34].contains($0[0] >> 1 & 63) }.map(Self.inSecondLayer)
        message = Self.message(use: isPremultiplied ? 1 : 0)
    }

    /// - Parameters:
    ///   - use: 0 for colours as they are, 1 for such that are multiplied.
    ///   - transparent: The sample of what is transparent, of 8 bits.
    ///   - opaque: The sample of what is opaque.
    public static func message(use: Int, transparent: Int = 0, opaque: Int = 255) -> [UInt8] {
        var bits = BitWriter()
        bits.add(0, bits: 1)
        bits.add(use, bits: 3)
        bits.add(0, bits: 3)
        bits.add(transparent, bits: 9)
        bits.add(opaque, bits: 9)
        bits.add(0, bits: 2)
        bits.end()
        return [0x4E, 1, 165, 4] + bits.bytes + [0x80]
    }

    public var bytes: [UInt8] {
        let samples = zip(pictures, alphas).map { $0 + ($1 ?? []) }
        var boxes = boxes.filter { $0.type != "mdat" && $0.type != "free" }
        let head = boxes.first { $0.type == "ftyp" }.map(\.bytes) ?? []
        func words(_ numbers: [Int]) -> [UInt8] { numbers.flatMap { ISOBox.bigEndian($0, bytes: 4) } }
        let table = "moov/trak/mdia/minf/stbl/"
        ISOBox.change(table + "stsz", in: &boxes) { $0.payload = words([0, 0, samples.count] + samples.map(\.count)) }
        ISOBox.change(table + "stsc", in: &boxes) { $0.payload = words([0, 1, 1, samples.count, 1]) }
        ISOBox.change(table + "stco", in: &boxes) { $0.payload = words([0, 1, head.count + 8]) }
        ISOBox.change(table + "stsd", in: &boxes) { box in
            // A version, flags and a count, then the entry with its length, 78 bytes, and its boxes.
            let entry = Array(box.payload[16...])
            guard var inner = try? ISOBox.parse(entry[78...]) else { return }
            ISOBox.change("hvcC", in: &inner) { record in
                record.payload[22] += UInt8(alphaSets.count + 1)
                for unit in alphaSets + [message] {
                    record.payload += [unit[0] >> 1 & 63, 0, 1] + ISOBox.bigEndian(unit.count, bytes: 2) + unit
                }
            }
            let content = entry.prefix(78) + inner.flatMap(\.bytes)
            box.payload = box.payload.prefix(8) + ISOBox(type: "hvc1", payload: Array(content)).bytes
        }
        let media = ISOBox(type: "mdat", payload: samples.flatMap(\.self)).bytes
        return head + media + boxes.filter { $0.type != "ftyp" }.flatMap(\.bytes)
    }

    private static func samples(of clip: Clip) throws -> [[UInt8]] {
        let bytes = try clip.bytes()
        return try clip.packets().map { Array(bytes[$0]) }
    }

    private static func units(of sample: [UInt8]) -> [[UInt8]] {
        var units: [[UInt8]] = []
        var rest = sample[...]
        while rest.count > 4 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            units.append(Array(rest.dropFirst(4).prefix(length)))
            rest = rest.dropFirst(4 + length)
        }
        return units
    }

    /// The units of an HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, 8.3.3.1).
    private static func sets(of clip: Clip) throws -> [[UInt8]] {
        let bytes = try clip.bytes()
        guard let name = bytes.firstRange(of: Array("hvcC".utf8)) else { throw ProcessError("\(clip) has no record") }
        var rest = bytes[(name.upperBound + 22)...]
        var sets: [[UInt8]] = []
        for _ in 0..<(rest.popFirst() ?? 0) {
            let count = rest.dropFirst().prefix(2).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(3)
            for _ in 0..<count {
                let length = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
                sets.append(Array(rest.dropFirst(2).prefix(length)))
                rest = rest.dropFirst(2 + length)
            }
        }
        return sets
    }

    /// `nuh_layer_id` 1.
    private static func inSecondLayer(_ unit: [UInt8]) -> [UInt8] { [unit[0], unit[1] & 7 | 8] + unit.dropFirst(2) }

    private static func behindLength(_ unit: [UInt8]) -> [UInt8] { ISOBox.bigEndian(unit.count, bytes: 4) + unit }
}
