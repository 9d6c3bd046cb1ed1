import CFFmpeg
import Foundation
import SnapBase
import TestSupport
import Testing

@testable import SnapMedia

@Suite("Holes in packets whose decoders notice none")
struct HolesTests {
    /// The last one has units behind those of pictures: zeros up to there are filling.
    static let sound: [Clip] = [
        .h264, .ts, .h264KeyFramesOnly, .hevc, .hevcOpenGOP, .hevcInMKV, .hevcInTS, .rawHEVC,
        .hevcWithChecksums,
    ]

    private func contents(of path: String) throws -> (packets: [Packet], look: Holes)? {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        var demuxer = try Demuxer(MemoryByteSource(bytes), interrupt: Interrupt())
        guard let look = LossDetection.detectors(for: demuxer.stream).compactMap({ $0 as? Holes }).first else {
            return nil
        }
        var packets: [Packet] = []
        while let packet = try demuxer.nextPacket() { packets.append(packet) }
        return (packets, look)
    }

    @Test("There are none in what was coded", arguments: sound)
    func none(_ clip: Clip) throws {
        let (packets, look) = try #require(try contents(of: clip.path()))
        #expect(packets.count >= 59 && !packets.contains { look.isSpoilt($0) })
    }

    @Test("Nor in real files", arguments: SharedMedia.files)
    func real(_ path: String) throws {
        guard let (packets, look) = try contents(of: path) else { return }
        #expect(!packets.contains { look.isSpoilt($0) })
    }

    @Test("Zeros in the middle of a packet are a hole, wherever they begin; fewer are not", arguments: sound.dropLast())
    func middle(_ clip: Clip) throws {
        let (packets, look) = try #require(try contents(of: clip.path()))
        let long = packets.filter { $0.byteCount > 420 }
        try #require(long.count > 1)
        for packet in long {
            let bytes = packet.withBytes { bytes in (0..<bytes.count).map { bytes[$0] } }
            for start in stride(from: bytes.count / 2, to: bytes.count / 2 + 70, by: 7) {
                for (length, isHole) in [(Holes.length + 2, true), (Holes.length / 2 - 10, false)] {
                    var damaged = bytes
                    damaged.replaceSubrange(start..<start + length, with: repeatElement(0, count: length))
                    #expect(look.isSpoilt(try Packet.of(damaged)) == isHole, "\(bytes.count): \(length) at \(start)")
                }
            }
        }
    }

    @Test("Zeros behind a unit of H.265 are filling", arguments: [Clip.hevc, .hevcInTS])
    func filling(_ clip: Clip) throws {
        let (packets, look) = try #require(try contents(of: clip.path()))
        let bytes = packets[3].withBytes { bytes in (0..<bytes.count).map { bytes[$0] } }
        let zeros = [UInt8](repeating: 0, count: 500)
        #expect(!look.isSpoilt(try Packet.of(bytes + zeros)))
        if clip.fileExtension == "ts" {
            #expect(!look.isSpoilt(try Packet.of(bytes + zeros + bytes)))
        } else {
            // The unit with its filling: its length says so.
            let length = bytes.count - 4 + zeros.count
            let filled = [0, 0, UInt8(length >> 8), UInt8(length & 255)] + bytes[4...] + zeros
            #expect(!look.isSpoilt(try Packet.of(filled + bytes)))
        }
    }
}
