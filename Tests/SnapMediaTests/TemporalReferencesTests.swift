import SnapBase
import TestSupport
import Testing

@testable import SnapMedia

@Suite("Lost pictures of MPEG-1 and MPEG-2 are told by their temporal references")
struct TemporalReferencesTests {
    static let sound: [Clip] =
        [
            .mpeg2InPS, .mpeg2InTS, .mxf, .rawMPEG2, .mpeg1, .mpeg2Interlaced, .mpeg2Adaptive, .mpeg2WithoutB,
            .mpeg2LowDelay,
        ] + Clip.mpeg2FieldPictures

    /// All packets, each the kind of its picture by its header: `I`, `P` or `B`.
    private func contents(of clip: Clip) throws -> (packets: [Packet], kinds: [Character], TemporalReferences) {
        var demuxer = try Demuxer(MemoryByteSource(try clip.bytes()), interrupt: Interrupt())
        let numbers = try #require(
            LossDetection.detectors(for: demuxer.stream).compactMap { $0 as? TemporalReferences }.first)
        var packets: [Packet] = []
        while let packet = try demuxer.nextPacket() { packets.append(packet) }
        let kinds = packets.map { packet in
            for case .picture(_, let isIntra, let isBidirectional) in packet.withBytes(TemporalReferences.headers) {
                return Character(isIntra ? "I" : isBidirectional ? "B" : "P")
            }
            return "?"
        }
        return (packets, kinds, numbers)
    }

    /// The places of the packets that are marked when they are read one after the other.
    private func marked(_ packets: [Packet], _ numbers: inout TemporalReferences) -> [Int] {
        for packet in packets where numbers.isSpoilt(packet) { packet.markCorrupt() }
        return packets.indices.filter { packets[$0].isCorrupt }
    }

    @Test("Nothing is missing where nothing was lost", arguments: sound)
    func none(_ clip: Clip) throws {
        var (packets, kinds, numbers) = try contents(of: clip)
        #expect(packets.count > 15 && !kinds.contains("?"))
        #expect(marked(packets, &numbers) == [])
    }

    @Test(
        "What may be predicted from a lost picture is told, up to the next key frame",
        arguments: [Clip.mpeg2InPS, .mpeg1, .mpeg2Adaptive, .mpeg2WithoutB])
    func each(_ clip: Clip) throws {
        let count = try contents(of: clip).packets.count
        var told = 0
        for lost in 6..<count - 4 {
            let (packets, kinds, sound) = try contents(of: clip)
            var numbers = sound
            let left = packets.indices.filter { $0 != lost }
            let places = marked(left.map { packets[$0] }, &numbers).map { left[$0] }
            switch kinds[lost] {
            case "B":
                // Of the first that follows two others it can't be told whether it was one.
                #expect(places.isEmpty || kinds[lost - 1] != "B" && places == [lost - 1], "packet \(lost)")
            default:
                if kinds[lost + 1] == "I" { continue }  // which counts anew
                #expect(places.first == lost + 1, "packet \(lost)")
                told += 1
            }
        }
        #expect(told > 10)
    }

    /// A picture's header, and the first start code of its slices.
    private func picture(_ number: Int, _ kind: Character) throws -> Packet {
        let type: UInt8 = ["I": 1, "P": 2, "B": 3][kind] ?? 0
        let header = [UInt8(number >> 2), UInt8(number & 3) << 6 | type << 3, 0, 0]
        let group: [UInt8] = kind == "I" ? [0, 0, 1, 0xB8, 0, 8, 0, 0] : []
        return try Packet.of(group + [0, 0, 1, 0] + header + [0, 0, 1, 1, 0x0A])
    }

    @Test(
        "Streams that count otherwise lose nothing",
        arguments: [
            "I0 P1 B2 B3 P4 B5 B6 P7 B8 B9 I0 P1 B2 B3 P4 B5 B6",  // as they are decoded
            "I0 P6 B2 B4 P12 B8 B10 I0 P6 B2 B4",  // fields
            "I0 P0 B0 B0 P0 B0 B0 I0 P0",  // not at all
            "I5 P9 P13 P17 I21 P25 P29 P33 P37 P41",  // a number for each of those left out
        ])
    func otherwise(_ pictures: String) throws {
        var numbers = TemporalReferences(configuration: [])
        let packets = try pictures.split(separator: " ").map { try picture(Int($0.dropFirst()) ?? 0, $0.first ?? "?") }
        #expect(marked(packets, &numbers) == [])
    }

    @Test(
        "Of what comes after a loss, the packets that are marked",
        arguments: [
            ("I2 B0 B1 P5 B3 B4 P11 B9 B10", [6]),  // P8 and its B pictures
            ("I2 B0 B1 P5 B3 B4 B6 B7", [6, 7]),  // P8
            ("I2 B0 B1 P5 B3 B4 P8 B7", [6]),  // B6, or a picture that P8 is predicted from
            ("I2 B0 B1 P5 B3 B4 P8 B6 P11 B9", []),  // B7
            ("I0 P1 P2 P3 P4 P6 P7", [5]),  // P5
            ("I0 P1 P2 P3 P4 P6 I0 P1", [5]),  // P5, which only the next group tells
            ("I0 P1 P2 P3 P4 P1023", [5]),  // counting backwards
            ("I2 B0 B1 P5 B3 B4 B0 B1 P5 B3", [6, 7, 8, 9]),  // the key frame of the next group
        ])
    func places(_ pictures: String, _ expected: [Int]) throws {
        var numbers = TemporalReferences(configuration: [])
        let packets = try pictures.split(separator: " ").map { try picture(Int($0.dropFirst()) ?? 0, $0.first ?? "?") }
        #expect(marked(packets, &numbers) == expected)
    }

    @Test("Numbers begin anew behind 1023 where groups have no headers")
    func wrapped() throws {
        var numbers = TemporalReferences(configuration: [])
        let packets = try (0..<1100).map { try picture($0 & 1023, $0 == 0 ? "I" : "P") }
        #expect(marked(packets, &numbers) == [])
        let behind = [try picture(1102 & 1023, "P"), try picture(1103 & 1023, "P")]
        #expect(marked(behind, &numbers) == [0])
    }

    @Test("A jump to other packets is no loss")
    func jump() throws {
        var (packets, _, numbers) = try contents(of: .mpeg2InPS)
        _ = marked(Array(packets[..<20]), &numbers)
        numbers.restart()
        #expect(marked(Array(packets[36...]), &numbers) == [])
    }

    @Test("Any bytes at all are read without harm", arguments: 0..<4)
    func anything(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 0..<60, using: &random)).map { index -> UInt8 in
                index % 6 < 3
                    ? [0, 0, 1][index % 6]
                    : [0, 0xB5, 0xB8, 1, .random(in: 0...255, using: &random)]
                        .randomElement(using: &random) ?? 0
            }
            var numbers = TemporalReferences(configuration: bytes)
            _ = numbers.isSpoilt(try Packet.of(bytes))
            numbers.restart()
        }
    }
}
