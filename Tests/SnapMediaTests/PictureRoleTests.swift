import CFFmpeg
import TestSupport
import Testing

@testable import SnapMedia

@Suite("Whether other pictures depend on one, told by the headers of its packet")
struct PictureRoleTests {
    static let avcC: [UInt8] = [1, 100, 0, 40, 0xff, 0xe1, 0]
    static let hvcCWithTwoLayers: [UInt8] = [1] + Array(repeating: 0, count: 20) + [2 << 3 | 3, 0]

    @Test(
        "H.264: nal_ref_idc, and what else a packet holds",
        arguments: [
            ([0, 0, 0, 2, 0x41, 0x9a], PictureRole(isReference: true)),
            ([0, 0, 0, 2, 0x01, 0x9a], PictureRole(isReference: false)),
            ([0, 0, 0, 2, 0x06, 0x05, 0, 0, 0, 2, 0x01, 0x9a], PictureRole(isReference: false)),
            ([0, 0, 0, 2, 0x68, 0xce, 0, 0, 0, 2, 0x01, 0x9a], PictureRole(isReference: true)),  // a parameter set
            ([0, 0, 0, 2, 0x01, 0x9a, 0, 0, 0, 2, 0x21, 0x9a], PictureRole(isReference: true)),  // fields of both kinds
            ([0, 0, 0, 9, 0x01, 0x9a], nil),
            ([0, 0, 0, 1], nil),
            ([], nil),
        ] as [([UInt8], PictureRole?)])
    func h264(_ bytes: [UInt8], _ role: PictureRole?) throws {
        var reader = try #require(PictureRoleReader(AV_CODEC_ID_H264, Self.avcC))
        #expect(try reader.role(of: Packet.of(bytes)) == role)
    }

    @Test(
        "H.265: sub-layers, and non-reference pictures of them",
        arguments: [
            ([0, 0, 0, 2, 0x02, 0x01], PictureRole(layer: 0, isReference: true, isInTopLayer: false)),
            ([0, 0, 0, 2, 0x00, 0x01], PictureRole(layer: 0, isReference: false, isInTopLayer: false)),
            ([0, 0, 0, 2, 0x00, 0x02], PictureRole(layer: 1, isReference: false, isInTopLayer: true)),
            ([0, 0, 0, 2, 0x26, 0x01], PictureRole(layer: 0, isReference: true, isInTopLayer: false)),
        ] as [([UInt8], PictureRole?)])
    func hevc(_ bytes: [UInt8], _ role: PictureRole?) throws {
        var reader = try #require(PictureRoleReader(AV_CODEC_ID_HEVC, Self.hvcCWithTwoLayers))
        #expect(try reader.role(of: Packet.of(bytes)) == role)
    }

    @Test("A picture of a layer serves those of its own and of higher ones")
    func layers() {
        let base = PictureRole(layer: 0, isReference: false, isInTopLayer: false)
        let top = PictureRole(layer: 1, isReference: false, isInTopLayer: true)
        #expect(!base.isUseless(for: top) && base.isUseless(for: base))
        #expect(top.isUseless(for: base) && top.isUseless(for: top))
        #expect(!base.isUseless(for: nil) && top.isUseless(for: nil))
        #expect(!base.isDisposable && top.isDisposable)
    }

    /// In the words of AV1's headers: I writes all slots, and each of the others reads and writes those named.
    @Test(
        "AV1: what is neither shown nor read, directly or through others, is of no use",
        arguments: [
            // A chain of frames that each read the one before.
            (["I", "0>0", "0>0", "0>0"], 3, "...."),
            // A frame between two of the chain, read by its neighbour alone, which nobody reads.
            (["I", "0>1", "0,1>2", "0,2>", "1>0", "0>"], 5, "..xx.."),
            // What comes behind may read any slot, and so all that are in one are needed.
            (["I", "0>1", "0,1>2", "0,2>", "1>0", "0>"], nil, "...x.x"),
            (["I", "0>1", "0>1", "1>"], nil, ".x.x"),
            // A slot is shown again.
            (["I", "0>1", "0>2", "=1"], 3, "..x."),
            // A key frame that is kept to be shown later starts anew when it is; until then, nothing is known of it.
            (["I", "K", "0>3", "=1", "3>"], 4, "....."),
            // One whose headers can't be made out may do anything.
            (["I", "0>1", "?", "0>2", "2>"], 4, "....."),
        ] as [([String], Int?, String)])
    func slots(_ units: [String], _ wanted: Int?, _ expected: String) {
        func mask(_ text: Substring) -> UInt8 { text.split(separator: ",").reduce(0) { $0 | 1 << (UInt8($1) ?? 0) } }
        let uses = units.map { text -> SlotUse? in
            switch text {
            case "I": return SlotUse(writes: .max, replaces: .max)
            case "K": return .unknown
            case "?": return nil
            default: break
            }
            var use = SlotUse()
            if let again = text.split(separator: "=").first, text.hasPrefix("=") {
                use.append(SlotUse(showsAgain: mask(again)))
            } else {
                let halves = text.split(separator: ">", omittingEmptySubsequences: false)
                use.append(SlotUse(reads: mask(halves[0]), writes: mask(halves[1]), replaces: mask(halves[1])))
            }
            return use
        }
        let found = SlotUse.isUseless(in: uses, wanted: wanted).map { $0 ? "x" : "." }.joined()
        #expect(found == expected)
    }

    @Test(
        "AV1: frame headers name the slots; a frame that is shown again may matter to all that follows",
        arguments: [
            ([0x32, 5, 0x30, 0x00, 0x81, 0x00, 0x00], true, SlotUse(reads: 0b11, writes: 0b10, replaces: 0b10)),
            ([0x32, 5, 0x30, 0x00, 0x01, 0x00, 0x00], false, SlotUse(reads: 0b11)),
            ([0x1a, 1, 0xa8], true, SlotUse(reads: 0b100, showsAgain: 0b100)),
        ] as [([UInt8], Bool, SlotUse)])
    func av1(_ bytes: [UInt8], _ isReference: Bool, _ slots: SlotUse) throws {
        let configuration: [UInt8] = [0x81, 0, 0, 0, 0x0a, 10] + Array(repeating: 0, count: 10)
        var reader = try #require(PictureRoleReader(AV_CODEC_ID_AV1, configuration))
        #expect(try reader.role(of: Packet.of(bytes)) == PictureRole(isReference: isReference, slots: slots))
    }

    @Test("AV1: frames of one unit follow each other")
    func slotsOfAUnit() {
        var unit = SlotUse()
        unit.append(SlotUse(reads: 0b1, writes: 0b10, replaces: 0b10))
        unit.append(SlotUse(reads: 0b11, writes: 0b100))
        #expect(unit == SlotUse(reads: 0b1, writes: 0b110, replaces: 0b10))
    }

    @Test(
        "Any bytes at all are read without harm",
        arguments: [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_AV1, AV_CODEC_ID_MPEG2VIDEO])
    func garbage(_ codec: AVCodecID) throws {
        var random = SeededRandom(seed: 5)
        for _ in 0..<3000 {
            func bytes() -> [UInt8] {
                (0..<Int.random(in: 0..<60, using: &random)).map { _ in
                    // Many zeros and ones: start codes and small lengths.
                    UInt8.random(in: 0...(Bool.random(using: &random) ? 2 : 255), using: &random)
                }
            }
            var reader = try #require(PictureRoleReader(codec, bytes()))
            for _ in 0..<3 { _ = try reader.role(of: Packet.of(bytes())) }
        }
    }
}
