import Snap
import SnapBase
import TestSupport
import Testing

/// Damage that no frame is marked for: what comes out is a frame as it was coded, or an error.
@Suite("Damage that decoders don't mark")
struct UnflaggedDamageTests {
    /// Takes frames, each by a reader of its own, and says which pictures differ visibly from what was coded.
    private func spoilt(_ clip: Clip, from bytes: [UInt8], _ numbers: [Int], threads: Int = 1) throws -> [String] {
        var options = VideoOptions()
        options.threads = threads
        let reference = try clip.pictures(of: Array(0..<clip.facts.frameCount))
        var spoilt: [String] = []
        for number in numbers {
            let snapshot = try snapshot(
                of: .bytes(bytes), at: .time(clip.facts.time(ofFrame: number)), opening: options)
            let time = try #require(snapshot.receipt.actual?.time)
            let shown = clip.facts.number(shownAt: time)
            let likeness = reference[shown].flatMap { snapshot.picture.rgb.peakSignalToNoise(against: $0) } ?? 0
            if likeness < DamageTally.visible || shown != number && snapshot.receipt.status == .ok {
                spoilt.append("\(number): \(shown), \(likeness.rounded()) dB, \(snapshot.receipt.code)")
            }
        }
        return spoilt
    }

    @Test(
        "Frames shown before a damaged key frame, and predicted from it",
        arguments: [Clip.mpeg4InMP4, .h264OpenGOP])
    func leading(_ clip: Clip) throws {
        let sound = try clip.bytes()
        for key in try clip.packets().enumerated().filter({ $0.offset > 0 && $0.offset % 12 == 0 }).map(\.offset) {
            var bytes = sound
            let packet = try clip.packets()[key]
            for index in packet.lowerBound + packet.count / 3..<packet.upperBound { bytes[index] = 0 }
            #expect(try spoilt(clip, from: bytes, Array(max(0, key - 4)...min(key + 6, 59))) == [], "key \(key)")
        }
    }

    @Test("H.265 with a hole in a packet, as an unfinished download has it")
    func hole() throws {
        let (clip, sound) = (Clip.hevc, try Clip.hevc.bytes())
        let long = try clip.packets().enumerated().filter { $0.element.count > 420 }
        #expect(long.count > 1)
        for (index, packet) in long {
            var bytes = sound
            let start = packet.lowerBound + packet.count / 2
            bytes.replaceSubrange(start..<start + 140, with: repeatElement(0, count: 140))
            let asked = Array(max(0, index - 4)...min(index + 6, 59))
            #expect(try spoilt(clip, from: bytes, asked) == [], "packet \(index)")
        }
    }

    @Test("H.265 with hashes and wrong bytes in its key frames, whose slices then may end early", arguments: 1...3)
    func keysWithHashes(_ threads: Int) throws {
        let (clip, sound) = (Clip.hevcWithChecksums, try Clip.hevcWithChecksums.bytes())
        let keys = try clip.packets().enumerated().filter { $0.offset > 0 && $0.offset % 12 == 0 }
        #expect(keys.count == 4)
        var random = SeededRandom(seed: 3)
        for (index, packet) in keys {
            for _ in 0..<3 {
                var bytes = sound
                for _ in 0..<3 {
                    let place = Int.random(in: packet.lowerBound + 40..<packet.upperBound - 70, using: &random)
                    bytes[place] ^= UInt8.random(in: 1...255, using: &random)
                }
                let asked = [index - 2, index, index + 1, index + 6]
                #expect(try spoilt(clip, from: bytes, asked, threads: threads) == [], "packet \(index)")
            }
        }
    }

    @Test("H.265 without a picture that others are predicted from", arguments: [13, 25, 37])
    func missing(_ packet: Int) throws {
        let damaged = Clip.withoutPacket(packet, .hevc)
        let lost = Set(Clip.hevc.facts.ticks.indices).subtracting(
            try FFmpegOracle.stream(of: damaged.path())?
                .frames.compactMap { $0.ticks.flatMap(Clip.hevc.facts.ticks.firstIndex) } ?? [])
        #expect(lost.count == 1)
        let asked = Set(packet / 12 * 12..<packet / 12 * 12 + 12).subtracting(lost)
        #expect(try spoilt(.hevc, from: try damaged.bytes(), asked.sorted()) == [])
    }

    /// Where the pictures of a raw stream lie, each in one unit behind its start code.
    private func pictures(in bytes: [UInt8], ofHEVC isHEVC: Bool) -> [Range<Int>] {
        let starts = bytes.indices.dropLast(4).filter { bytes[$0..<$0 + 3].elementsEqual([0, 0, 1]) }
        return zip(starts, starts.dropFirst() + [bytes.count]).compactMap { start, end in
            let header = bytes[start + 3]
            return (isHEVC ? header >> 1 & 63 < 32 : [1, 5].contains(header & 31)) ? start..<end : nil
        }
    }

    @Test("Streams whose packets have no times", arguments: 1...3)
    func untimed(_ threads: Int) throws {
        var options = VideoOptions()
        options.threads = threads
        for (clip, timed) in [(Clip.rawH264, Clip.h264), (.rawHEVC, .hevc)] {
            let reference = try timed.pictures(of: Array(0..<60))
            var bytes = try clip.bytes()
            let packets = pictures(in: bytes, ofHEVC: clip.name.contains("hevc"))
            if clip.name.contains("hevc") {
                bytes.removeSubrange(packets[13])
            } else {
                for index in packets[12].lowerBound + packets[12].count / 3..<packets[12].upperBound {
                    bytes[index] = 0
                }
            }
            for number in [5, 13, 15, 18, 22, 30] {
                let reader = try VideoReader(.bytes(bytes), options: options, interrupt: Interrupt())
                let snapshot = try reader.snapshot(at: try reader.moment(.frame(number)), options: SnapshotOptions())
                // Behind the packet that is missing, frames count one less.
                let likeness =
                    [number, number + 1].compactMap { reference[$0] }
                    .compactMap { snapshot.picture.rgb.peakSignalToNoise(against: $0) }.max() ?? 0
                #expect(snapshot.receipt.status != .ok || likeness >= DamageTally.visible, "\(clip) \(number)")
                #expect(number != 30 || snapshot.receipt.status == .ok, "\(clip)")
            }
        }
    }

    /// The decoder's threads say when they like that a picture is not what was coded.
    @Test("Damaged key frames, one group after the other, with several threads", arguments: 1...4)
    func keysInARow(_ threads: Int) throws {
        let clip = Clip.manyGroups
        var bytes = try clip.bytes()
        let packets = try clip.packets()
        for range in [packets[120], packets[126]] {
            for index in range.lowerBound + range.count / 3..<range.upperBound { bytes[index] = 0 }
        }
        var options = VideoOptions()
        options.threads = threads
        for _ in 0..<8 {
            let reader = try VideoReader(.bytes(bytes), options: options, interrupt: Interrupt())
            let moment = try reader.moment(.time(clip.facts.time(ofFrame: 128)))
            let receipt = try reader.snapshot(at: moment, options: SnapshotOptions()).receipt
            #expect(receipt.code == "replaced-damaged" && receipt.actual?.time == clip.facts.time(ofFrame: 132))
        }
    }

    @Test("H.264 without a frame that others are predicted from", arguments: [Clip.h264, .h264OpenGOP])
    func lost(_ clip: Clip) throws {
        for packet in [13, 16, 24, 35] {
            let damaged = Clip.withoutPacket(packet, clip)
            let left = try FFmpegOracle.packetTimes(of: damaged.path())
            #expect(left.count == 59)
            // Around the loss. Whoever asks for the lost frame's own time gets what players show: the frame before.
            let asked = left.compactMap(clip.facts.ticks.firstIndex).filter { 8...50 ~= $0 }.sorted()
            #expect(try spoilt(clip, from: try damaged.bytes(), asked) == [], "packet \(packet)")
        }
    }

    @Test("MPEG-2 without a picture that others are predicted from", arguments: [Clip.mpeg2Adaptive, .mpeg2WithoutB])
    func lostMPEG2(_ clip: Clip) throws {
        // None of them the last of its group: the next one counts anew.
        for packet in [15, 27, 33] {
            let damaged = Clip.withoutPacket(packet, clip)
            let left = try FFmpegOracle.packetTimes(of: damaged.path())
            #expect(left.count == 59)
            let asked = left.compactMap(clip.facts.ticks.firstIndex).filter { 8...50 ~= $0 }.sorted()
            #expect(try spoilt(clip, from: try damaged.bytes(), asked) == [], "packet \(packet)")
        }
    }

    /// A packet with some bytes changed, before its middle.
    private func scratched(_ clip: Clip, _ packet: Int, _ random: inout SeededRandom) throws -> [UInt8] {
        var bytes = try clip.bytes()
        let range = try clip.packets()[packet]
        for _ in 0..<4 {
            let place = range.lowerBound + range.count / 4..<range.lowerBound + range.count / 2
            bytes[.random(in: place, using: &random)] ^= 0x55
        }
        return bytes
    }

    @Test("Checksums of pictures are looked at", arguments: [Clip.hevcWithChecksums, .ffv1WithChecksums], 1...2)
    func checksums(_ clip: Clip, _ threads: Int) throws {
        var random = SeededRandom(seed: 3)
        var options = VideoOptions()
        options.threads = threads
        for packet in [5, 12, 13, 24, 31] {
            let bytes = try scratched(clip, packet, &random)
            let reader = try VideoReader(.bytes(bytes), options: options, interrupt: Interrupt())
            var kept = 0
            for number in packet / 12 * 12..<packet / 12 * 12 + 12 {
                let moment = try reader.moment(.time(clip.facts.time(ofFrame: number)))
                let snapshot = try reader.snapshot(at: moment, options: SnapshotOptions())
                let time = try #require(snapshot.receipt.actual?.time)
                let shown = clip.facts.number(shownAt: time)
                let reference = try #require(try clip.pictures(of: [shown])[shown])
                let likeness = try #require(snapshot.picture.rgb.peakSignalToNoise(against: reference))
                #expect(likeness > DamageTally.visible && (snapshot.receipt.status != .ok || shown == number))
                kept += snapshot.receipt.status == .ok ? 1 : 0
            }
            #expect(kept < 12, "packet \(packet)")
        }
    }

    @Test("What JPEG's decoder gives up is said")
    func jpeg() throws {
        var random = SeededRandom(seed: 4)
        var told = 0
        for packet in 10..<40 {
            let bytes = try scratched(.mjpegInMOV, packet, &random)
            let time = Clip.mjpegInMOV.facts.time(ofFrame: packet)
            told += try snapshot(of: .bytes(bytes), at: .time(time)).receipt.status == .ok ? 0 : 1
        }
        // Other codes may stand where some were, and nobody knows.
        #expect(told > 10)
    }

    @Test("What DV's decoder conceals is said, of this frame alone")
    func dv() throws {
        var random = SeededRandom(seed: 5)
        var bytes = try Clip.rawDV.bytes()
        let size = 144_000
        #expect(bytes.count == 12 * size)
        for _ in 0..<400 { bytes[.random(in: 5 * size + 4000..<6 * size - 4000, using: &random)] ^= 0xFF }
        for number in 3...7 {
            let time = Clip.rawDV.facts.time(ofFrame: number)
            let status = try snapshot(of: .bytes(bytes), at: .time(time)).receipt.status
            #expect((status == .ok) == (number != 5), "frame \(number)")
        }
    }

    /// The frame asked for and one near it, each undamaged, with the numbers of the frames that they should be.
    private func exactAndNear(_ clip: Clip, _ number: Int) throws -> [(shown: Int, picture: RGBPicture)] {
        try [Tolerance.exact, .any].map { tolerance in
            var options = SnapshotOptions()
            options.tolerance = tolerance
            let snapshot = try snapshot(
                of: .file(try clip.path()), at: .time(clip.facts.time(ofFrame: number)), options: options)
            let time = try #require(snapshot.receipt.actual?.time)
            #expect(snapshot.receipt.status == .ok && (tolerance == .any || snapshot.receipt.delta == .zero))
            return (clip.facts.number(shownAt: time), snapshot.picture.rgb)
        }
    }

    @Test("Pictures that are only called key frames: decoded from an earlier one")
    func falseKeys() throws {
        let clip = Clip.falseKeys
        for number in [30, 31, 36, 42, 43, 45, 47, 29, 59] {
            for (shown, picture) in try exactAndNear(clip, number) { #expect(clip.number(in: picture) == shown) }
        }
    }

    /// FFmpeg's decoder, drained while it holds back a picture that is shown before the first key frame, gives nothing else.
    @Test("The last frames behind an open group of pictures are not swallowed", arguments: 13...20)
    func drained(_ count: Int) throws {
        let clip = Clip.firstPackets(count, .h264OpenGOP)
        let times = try FFmpegOracle.packetTimes(of: clip.path()).sorted()
        #expect(times.count == count)
        let bytes = try clip.bytes()
        for time in times {
            let number = try #require(clip.facts.ticks.firstIndex(of: time))
            let snapshot = try snapshot(of: .bytes(bytes), at: .time(clip.facts.time(ofFrame: number)))
            #expect(snapshot.receipt.actual?.pts == time && snapshot.receipt.status == .ok)
            #expect(clip.number(in: snapshot.picture.rgb) == number)
        }
        let last = try snapshot(of: .bytes(bytes), at: .end)
        #expect(last.receipt.actual?.pts == times.last && last.receipt.status == .ok)
    }

    @Test("A picture that really holds such grey is given as it is")
    func realGrey() throws {
        let clip = Clip.reallyGrey
        let pictures = try FFmpegOracle.pictures(of: clip.path(), width: 384, height: 108)
        for number in [0, 5, 12, 17, 30, 59] {
            for (shown, picture) in try exactAndNear(clip, number) {
                #expect(picture.peakSignalToNoise(against: pictures[shown]) ?? 0 > 30, "\(number)")
            }
        }
    }
}
