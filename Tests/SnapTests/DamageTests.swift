import Foundation
import Snap
import SnapBase
import TestSupport
import Testing

/// Files cut short, and files with wrong bytes: the right picture, one that is said not to be, or an error.
@Suite("Damaged files")
struct DamageTests {
    static let cut: [Clip] = [.moovFirst, .moovLast, .fragmented, .mkv, .vp9, .ts, .mpeg2InTS, .h264InFLV, .mpeg4InAVI, .mjpegInAVI, .hevc, .ffv1, .theora]

    @Test("A file cut short anywhere", arguments: cut)
    func truncated(_ clip: Clip) throws {
        let bytes = try clip.bytes()
        let frames = [0, 11, 12, 30, 31, 47, 59]
        let reference = try clip.pictures(of: frames)
        var tally = DamageTally()
        for part in [1, 10, 30, 100, 205, 300, 411, 500, 617, 700, 803, 900, 950, 990, 999] {
            tally.add(clip, Array(bytes.prefix(bytes.count * part / 1000)), frames, reference, "cut at \(part)‰")
        }
        #expect(tally.wrong.isEmpty && tally.improper.isEmpty && tally.unnoticed.isEmpty, "\(tally)")
    }

    /// Where the coded pictures lie: a damaged table of times or offsets is another film, and nobody can tell.
    private func mediaRange(_ clip: Clip, _ bytes: [UInt8]) -> Range<Int> {
        guard ["mp4", "mov"].contains(clip.fileExtension) else { return bytes.count / 10..<bytes.count }
        let marks = bytes.indices.dropLast(4).filter { bytes[$0] == 0x6D && bytes[$0..<$0 + 4].elementsEqual(Array("mdat".utf8)) }
        guard let mark = marks.first else { return bytes.indices }
        let size = bytes[mark - 4..<mark].reduce(0) { $0 << 8 | Int($1) }
        return mark + 4..<min(mark - 4 + size, bytes.count)
    }

    @Test("Wrong bytes among the coded pictures", arguments: [Clip.moovFirst, .mkv, .ts, .hevc, .vp9, .vp8, .av1, .mpeg2InTS, .mpeg4InAVI, .mjpegInAVI, .theora, .prores, .ffv1, .wmv2, .h264KeyFramesOnly])
    func flipped(_ clip: Clip) throws {
        let bytes = try clip.bytes()
        let range = mediaRange(clip, bytes)
        let frames = Array(stride(from: 1, to: 60, by: 4))
        let reference = try clip.pictures(of: frames)
        var tally = DamageTally()
        for seed in 1...6 {
            var (damaged, random) = (bytes, SeededRandom(seed: UInt64(seed)))
            for _ in 0..<3 { damaged[Int.random(in: range, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
            tally.add(clip, damaged, frames, reference, "seed \(seed)")
        }
        #expect(tally.wrong.isEmpty && tally.improper.isEmpty && tally.unnoticed.isEmpty, "\(tally)")
    }

    @Test("Wrong bytes anywhere, headers and tables too, never crash or hang", arguments: Clip.bitFlipped + Clip.truncated + Clip.truncatedOthers)
    func anywhere(_ clip: Clip) throws {
        var tally = DamageTally()
        tally.add(clip, try clip.bytes(), [0, 13, 40, 59], [:], clip.name)
        #expect(tally.improper.isEmpty, "\(tally)")
    }
}
