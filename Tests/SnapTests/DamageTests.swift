import Foundation
import Snap
import SnapBase
import TestSupport
import Testing

/// Files cut short, and files with wrong bytes: the right picture, one that is said not to be, or an error.
@Suite("Damaged files")
struct DamageTests {
    static let cut: [Clip] = [
        .moovFirst, .moovLast, .fragmented, .mkv, .vp9, .ts, .mpeg2InTS, .h264InFLV, .mpeg4InAVI, .mjpegInAVI, .hevc,
        .ffv1, .theora,
    ]

    @Test("A file cut short anywhere", arguments: cut)
    func truncated(_ clip: Clip) throws {
        let bytes = try clip.bytes()
        let frames = [0, 11, 12, 30, 31, 47, 59]
        let reference = try clip.pictures(of: frames)
        var tally = DamageTally()
        for part in [1, 10, 30, 100, 205, 300, 411, 500, 617, 700, 803, 900, 950, 990, 999] {
            tally.add(clip, Array(bytes.prefix(bytes.count * part / 1000)), frames, reference, "cut at \(part)‰")
        }
        // A transport stream doesn't list its frames: one shown before the last, but cut off as it lay behind it, leaves no trace.
        #expect(tally.wrong.count <= (clip.fileExtension == "ts" ? 1 : 0) && tally.improper.isEmpty, "\(tally)")
        // Half a frame at the cut may pass for a whole one.
        #expect(tally.unnoticed.count <= 1, "\(tally)")
    }

    /// Where the coded pictures lie: a damaged table of times or offsets is another film, and nobody can tell.
    private func mediaRange(_ clip: Clip, _ bytes: [UInt8]) -> Range<Int> {
        guard ["mp4", "mov"].contains(clip.fileExtension) else { return bytes.count / 10..<bytes.count }
        let marks = bytes.indices.dropLast(4).filter {
            bytes[$0] == 0x6D && bytes[$0..<$0 + 4].elementsEqual(Array("mdat".utf8))
        }
        guard let mark = marks.first else { return bytes.indices }
        let size = bytes[mark - 4..<mark].reduce(0) { $0 << 8 | Int($1) }
        return mark + 4..<min(mark - 4 + size, bytes.count)
    }

    // Most formats have no checksums, and an arithmetic decoder makes some picture of any bytes: HEVC, VP8, VP9 and AV1
    // decode garbage without a word, H.264 and the older ones notice where a code is impossible. What a decoder doesn't
    // know is not known here either; looking at the picture is another issue's work.
    @Test(
        "Wrong bytes among the coded pictures",
        arguments: [
            Clip.moovFirst, .mkv, .ts, .hevc, .vp9, .vp8, .av1, .mpeg2InTS, .mpeg4InAVI, .mjpegInAVI, .theora, .prores,
            .ffv1, .wmv2, .h264KeyFramesOnly,
        ])
    func flipped(_ clip: Clip) throws {
        let bytes = try clip.bytes()
        let range = mediaRange(clip, bytes)
        let frames = Array(stride(from: 1, to: 60, by: 4))
        let reference = try clip.pictures(of: frames)
        var tally = DamageTally()
        for seed in 1...6 {
            var (damaged, random) = (bytes, SeededRandom(seed: UInt64(seed)))
            for _ in 0..<3 {
                damaged[Int.random(in: range, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            tally.add(clip, damaged, frames, reference, "seed \(seed)")
        }
        // Between the pictures of most containers lie their times: one that is hit makes another film.
        let hasTimesBetween = !["mp4", "mov"].contains(clip.fileExtension)
        #expect(tally.wrong.count <= (hasTimesBetween ? 2 : 0) && tally.improper.isEmpty, "\(tally)")
        let asked = frames.count * 6
        let mayPass =
            ["h264", "mpeg", "mjpeg", "moov-first", "prores"].contains { clip.name.hasPrefix($0) }
            ? asked / 8 : asked * 2 / 5
        #expect(tally.unnoticed.count <= mayPass, "\(tally)")
    }

    @Test(
        "Wrong bytes anywhere, headers and tables too, never crash or hang",
        arguments: Clip.bitFlipped + Clip.truncated + Clip.truncatedOthers)
    func anywhere(_ clip: Clip) throws {
        var tally = DamageTally()
        tally.add(clip, try clip.bytes(), [0, 13, 40, 59], [:], clip.name)
        #expect(tally.improper.isEmpty, "\(tally)")
    }

    /// What is asked at frame 30 or 26, when the key frame of 24…35 is spoilt.
    static let policies: [(DamagePolicy, frame: Int, got: Int?)] = [
        (.nearest, 30, 36), (.nearest, 26, 23), (.nearest, 24, 23), (.nearest, 35, 36),
        (.next, 26, 36), (.previous, 35, 23), (.fail, 30, nil),
    ]

    @Test("A group of pictures without its key frame: what --on-damage says", arguments: policies)
    func policy(_ policy: DamagePolicy, _ frame: Int, _ expected: Int?) throws {
        let clip = Clip.moovFirst
        let packet = try clip.packets()[24]
        for firstSpoilt in [packet.lowerBound, packet.lowerBound + packet.count / 4] {
            var bytes = try clip.bytes()
            for index in firstSpoilt..<packet.upperBound { bytes[index] = 0xFF }
            let reader = try VideoReader(.bytes(bytes), options: .oneThread, interrupt: Interrupt())
            var options = SnapshotOptions()
            options.onDamage = policy
            // Twice, and what is beside it: a search leaves nothing behind that spoils the next answer.
            for _ in 0..<2 {
                for sound in [23, 36, 37, 59, 22] {
                    let snapshot = try reader.snapshot(
                        at: try reader.moment(.time(clip.facts.time(ofFrame: sound))), options: options)
                    #expect(clip.number(in: snapshot.picture.rgb) == sound && snapshot.receipt.status == .ok)
                }
                let moment = try reader.moment(.time(clip.facts.time(ofFrame: frame)))
                do throws(SnapError) {
                    let snapshot = try reader.snapshot(at: moment, options: options)
                    let receipt = snapshot.receipt
                    let got = clip.number(in: snapshot.picture.rgb) ?? -1
                    // FFmpeg blames the picture before, too, for a packet in which it finds none.
                    let isBlamed = firstSpoilt == packet.lowerBound && got == 22
                    #expect(got == expected || isBlamed && expected == 23, "\(got), \(receipt.code)")
                    #expect(receipt.status == .degraded && receipt.code == "replaced-damaged" && receipt.message != nil)
                    #expect(receipt.actual?.time == clip.facts.time(ofFrame: max(got, 0)))
                } catch {
                    #expect(expected == nil && error.code == .damaged && error.exitCode == 65)
                    #expect(error.message.contains("--on-damage"))
                }
            }
        }
    }

    @Test(
        "Several groups of pictures without their key frames: as far back, or ahead, as it takes",
        arguments: [(DamagePolicy.previous, 50, 11), (.nearest, 59, 11), (.next, 13, nil), (.nearest, 13, 11)]
            as [(DamagePolicy, Int, Int?)])
    func farther(_ policy: DamagePolicy, _ frame: Int, _ expected: Int?) throws {
        let clip = Clip.moovFirst
        var bytes = try clip.bytes()
        for key in [12, 24, 36, 48] {
            let packet = try clip.packets()[key]
            for index in packet.lowerBound + packet.count / 4..<packet.upperBound { bytes[index] = 0xFF }
        }
        var options = SnapshotOptions()
        options.onDamage = policy
        do throws(SnapError) {
            let snapshot = try snapshot(
                of: .bytes(bytes), at: .time(clip.facts.time(ofFrame: frame)), options: options)
            #expect(clip.number(in: snapshot.picture.rgb) == expected && snapshot.receipt.code == "replaced-damaged")
        } catch {
            #expect(expected == nil && error.code == .damaged)
        }
    }

    @Test("A damaged frame that is to be kept is given, and called so")
    func kept() throws {
        let clip = Clip.moovFirst
        let packet = try clip.packets()[24]
        var bytes = try clip.bytes()
        for index in packet.lowerBound + packet.count / 4..<packet.upperBound { bytes[index] = 0xFF }
        var options = SnapshotOptions()
        options.onDamage = .keep
        let receipt = try snapshot(of: .bytes(bytes), at: .time(clip.facts.time(ofFrame: 30)), options: options).receipt
        #expect(receipt.status == .degraded && receipt.code == "damaged")
        #expect(receipt.actual?.time == clip.facts.time(ofFrame: 30))
    }
}
