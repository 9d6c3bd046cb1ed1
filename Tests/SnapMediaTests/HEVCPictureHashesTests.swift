import CFFmpeg
import SnapBase
import TestSupport
import Testing

@testable import SnapMedia

@Suite("Pictures of H.265 without the hash that the others have")
struct HEVCPictureHashesTests {
    private func contents(of clip: Clip) throws -> (packets: [Packet], HEVCPictureHashes) {
        var demuxer = try Demuxer(MemoryByteSource(try clip.bytes()), interrupt: Interrupt())
        let hashes = try #require(
            LossDetection.detectors(for: demuxer.stream).compactMap { $0 as? HEVCPictureHashes }.first)
        var packets: [Packet] = []
        while let packet = try demuxer.nextPacket() { packets.append(packet) }
        return (packets, hashes)
    }

    /// The first half, without the hash at the end.
    private func cut(_ packet: Packet) throws -> Packet {
        try Packet.of(packet.withBytes { bytes in (0..<bytes.count / 2).map { bytes[$0] } })
    }

    @Test("None is missed where all have one, or none has", arguments: [Clip.hevcWithChecksums, .hevc, .hevcInTS])
    func none(_ clip: Clip) throws {
        let (packets, sound) = try contents(of: clip)
        var hashes = sound
        #expect(packets.count == 60 && !packets.contains { hashes.isSpoilt($0) })
    }

    @Test("The one that lacks it is told, and no other")
    func each() throws {
        let (packets, sound) = try contents(of: .hevcWithChecksums)
        for lost in 4..<60 {
            var hashes = sound
            var damaged = packets
            damaged[lost] = try cut(packets[lost])
            #expect(damaged.indices.filter { hashes.isSpoilt(damaged[$0]) } == [lost])
        }
    }

    @Test("A key frame that lacks it is told by the next one that has it, and is sound where those behind it have none")
    func keys() throws {
        let (packets, sound) = try contents(of: .hevcWithChecksums)
        for isAlone in [true, false] {
            var hashes = sound
            #expect(!packets.prefix(24).contains { hashes.isSpoilt($0) })
            let key = try cut(packets[24])
            key.pointer.pointee.flags |= AV_PKT_FLAG_KEY
            let isKeySpoilt = hashes.isSpoilt(key)
            #expect(!isKeySpoilt && hashes.isUndecided)
            let isNextSpoilt = hashes.isSpoilt(isAlone ? packets[25] : try cut(packets[25]))
            #expect(!isNextSpoilt && key.isCorrupt == isAlone && !hashes.isUndecided)
            let isThirdSpoilt = hashes.isSpoilt(try cut(packets[26]))
            #expect(isThirdSpoilt == isAlone)
        }
    }

    @Test("Behind a jump, one with a hash is enough to expect the next")
    func jump() throws {
        let (packets, sound) = try contents(of: .hevcWithChecksums)
        var hashes = sound
        for packet in packets.prefix(10) { _ = hashes.isSpoilt(packet) }
        hashes.restart()
        #expect(try !hashes.isSpoilt(cut(packets[24])))
        for packet in packets.prefix(10) { _ = hashes.isSpoilt(packet) }
        hashes.restart()
        #expect(try !hashes.isSpoilt(packets[24]) && hashes.isSpoilt(cut(packets[25])))
    }
}
