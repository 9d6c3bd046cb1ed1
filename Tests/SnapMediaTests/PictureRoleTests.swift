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
        #expect(try reader.role(of: packet(bytes)) == role)
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
        #expect(try reader.role(of: packet(bytes)) == role)
    }

    @Test("A picture of a layer serves those of its own and of higher ones")
    func layers() {
        let base = PictureRole(layer: 0, isReference: false, isInTopLayer: false)
        let top = PictureRole(layer: 1, isReference: false, isInTopLayer: true)
        #expect(base.mayServe(top) && !base.mayServe(base) && !top.mayServe(base) && !top.mayServe(top))
        #expect(!base.isDisposable && top.isDisposable)
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
            for _ in 0..<3 { _ = try reader.role(of: packet(bytes())) }
        }
    }

    private func packet(_ bytes: [UInt8]) throws -> Packet {
        let packet = try Packet()
        try check(av_new_packet(packet.pointer, Int32(bytes.count)), "av_new_packet")
        if let data = packet.pointer.pointee.data { data.update(from: bytes, count: bytes.count) }
        return packet
    }
}
