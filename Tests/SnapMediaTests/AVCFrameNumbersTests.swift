import Foundation
import SnapBase
import TestSupport
import Testing

@testable import SnapMedia

@Suite("Lost frames of H.264 are told by the numbers of frames")
struct AVCFrameNumbersTests {
    static let sound: [Clip] = [
        .h264, .h264OpenGOP, .h264IntraRefresh, .h264LongGOP, .h264KeyFramesOnly, .h264InFLV, .manyGroups, .ts,
        .openGOPInTS, .openGOPInMKV, .fragmented, .falseKeys, .reallyGrey,
    ]

    /// All packets, with the roles of their pictures, and what tells losses among them; `nil` of other codecs.
    private func contents(of path: String) throws -> (packets: [Packet], areReferences: [Bool], AVCFrameNumbers)? {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        var demuxer = try Demuxer(MemoryByteSource(bytes), interrupt: Interrupt())
        guard let numbers = LossDetection.detectors(for: demuxer.stream).compactMap({ $0 as? AVCFrameNumbers }).first
        else { return nil }
        var roles = try #require(PictureRoleReader(demuxer.stream))
        var packets: [Packet] = []
        while let packet = try demuxer.nextPacket() { packets.append(packet) }
        return (packets, packets.map { roles.role(of: $0)?.isReference ?? true }, numbers)
    }

    @Test("Nothing is missing where nothing was lost", arguments: sound)
    func none(_ clip: Clip) throws {
        try #require(try contents(of: clip.path()) != nil)
        try noneIsMissing(in: clip.path())
    }

    @Test("Nor in real files", arguments: SharedMedia.files.filter { !$0.contains("corrupted") })
    func real(_ path: String) throws { try noneIsMissing(in: path) }

    private func noneIsMissing(in path: String) throws {
        guard let (packets, _, sound) = try contents(of: path) else { return }
        var numbers = sound
        let told = packets.indices.filter { numbers.isSpoilt(packets[$0]) }
        #expect(packets.count > 0 && told == [])
    }

    @Test("Each reference frame is missed at once by those that follow", arguments: [Clip.h264, .h264OpenGOP, .ts])
    func each(_ clip: Clip) throws {
        let (packets, areReferences, sound) = try #require(try contents(of: clip.path()))
        #expect(packets.count == 60 && Set(areReferences).count == 2)
        for lost in 1..<59 {
            var numbers = sound
            let left = packets.indices.filter { $0 != lost }
            let first = left.first { numbers.isSpoilt(packets[$0]) }
            // A key frame needs nothing that comes before it; those that are shown before it do.
            let isComplete = areReferences[lost] && packets[lost + 1].isKey && !clip.name.contains("open-gop")
            let expected = packets[lost + 1].isKey ? lost + 2 : lost + 1
            #expect(first == (areReferences[lost] && !isComplete ? expected : nil), "packet \(lost)")
        }
    }

    @Test("A jump to other packets is no loss")
    func jump() throws {
        let (packets, _, sound) = try #require(try contents(of: Clip.h264.path()))
        var numbers = sound
        _ = numbers.isSpoilt(packets[12])
        numbers.restart()
        let isLoss = numbers.isSpoilt(packets[31])
        #expect(!isLoss)
    }

    /// From the highest bit of a byte on.
    private static func bytes(_ bits: String) -> [UInt8] {
        let digits = Array(bits.filter { $0 != " " }) + Array("10000000".prefix(8))
        return stride(from: 0, to: digits.count - 7, by: 8).map { UInt8(String(digits[$0..<$0 + 8]), radix: 2) ?? 0 }
    }

    /// Baseline, numbers of 4 bits, no order of their own, frames of one macroblock; and lists of one picture.
    private static func configuration(mayHaveGaps: Bool) -> [UInt8] {
        let sequence = bytes("01000010 00000000 00010100 1 1 011 010 \(mayHaveGaps ? 1 : 0) 1 1 1 1 0 0")
        return [0, 0, 1, 0x67] + sequence + [0, 0, 1, 0x68] + bytes("1 1 0 0 1 1 1 0 00 1 1 1 0 0 0")
    }

    @Test(
        "Where a picture says that counting begins anew, or the stream that frames may be left out",
        arguments: [
            // Memory management control operations: 1 forgets a picture, 5 all of them, 0 is the end.
            (false, "0", true), (true, "0", false),
            (false, "1 010 1 1", true), (false, "1 00110 1", false), (false, "1 010 1 00110 1", false),
        ])
    func otherNumbers(_ mayHaveGaps: Bool, _ marking: String, _ isLoss: Bool) throws {
        var numbers = AVCFrameNumbers(configuration: Self.configuration(mayHaveGaps: mayHaveGaps))
        // Slices of type P of the first picture parameter set: number 5, then 1.
        let first = [0, 0, 1, 0x41] + Self.bytes("1 1 1 0101 0 0 \(marking)")
        let second = [0, 0, 1, 0x41] + Self.bytes("1 1 1 0001 0 0 0")
        let told = [numbers.isSpoilt(try Packet.of(first)), numbers.isSpoilt(try Packet.of(second))]
        #expect(told == [false, isLoss])
    }

    @Test("Any bytes at all are read without harm", arguments: 0..<4)
    func anything(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 0..<60, using: &random)).map { index -> UInt8 in
                index % 9 < 3 ? [0, 0, 1][index % 9] : .random(in: 0...255, using: &random)
            }
            var numbers = AVCFrameNumbers(configuration: seed % 2 == 0 ? bytes : [1, 66, 0, 20, 0xff, 0xe1] + bytes)
            _ = numbers.isSpoilt(try Packet.of([0, 0, 1, 0x67] + bytes))
            _ = numbers.isSpoilt(try Packet.of(bytes))
        }
    }
}
