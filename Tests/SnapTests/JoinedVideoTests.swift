import Snap
import SnapBase
import SnapMedia
import Synchronization
import TestSupport
import Testing

/// `cat a.ts b.ts`: what a viewer sees is one video behind the other, whatever their clocks say.
@Suite("Videos joined into one file, with clocks that begin anew")
struct JoinedVideoTests {
    struct Joined: Sendable, CustomTestStringConvertible {
        let parts: [Clip]
        var testDescription: String { "\(parts)" }

        func bytes() throws -> [UInt8] { try parts.flatMap { try $0.bytes() } }

        /// Each frame's number, with the time at which it comes on screen.
        var frames: [(time: MediaTime, number: Int)] {
            let numbers = parts.flatMap(\.facts.numbers)
            return numbers.enumerated().map { (MediaTime(Int64($0), over: 25) ?? .zero, $1) }
        }
    }

    static let joined = [
        Joined(parts: Clip.partsInTS), Joined(parts: Clip.partsInTS.reversed()), Joined(parts: Clip.partsInPS),
        Joined(parts: Clip.partsInMPEG1), Joined(parts: Clip.partsInM2TS), Joined(parts: Clip.partsInWebM),
        Joined(parts: Clip.partsInLiveWebM),
    ]

    private func parts(of bytes: [UInt8]) throws -> [Range<Int64>] {
        try JoinedParts.find(in: MemoryByteSource(bytes), interrupt: Interrupt())
    }

    @Test("Every frame at its own time and in its middle, in order and shuffled", arguments: joined)
    func everyFrame(_ joined: Joined) throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(try joined.bytes(), to: "joined.\(joined.parts[0].fileExtension)")
        let reader = try VideoReader(.file(path), options: .oneThread, interrupt: Interrupt())
        let half = try #require(MediaTime(1, over: 50))
        var random = SeededRandom(seed: 7)
        for (start, number) in joined.frames + joined.frames.shuffled(using: &random) {
            let first = try reader.snapshot(at: try reader.moment(.time(start)), options: SnapshotOptions())
            #expect(first.receipt.actual?.time == start)
            for time in [start, start + half] {
                let snapshot = try reader.snapshot(at: try reader.moment(.time(time)), options: SnapshotOptions())
                #expect(joined.parts[0].number(in: snapshot.picture.rgb) == number, "at \(time)")
                #expect(snapshot.receipt.status == .ok)
            }
        }
    }

    @Test("Length, parts of it, the end, and what is past it", arguments: joined)
    func ends(_ joined: Joined) throws {
        let source = Source.bytes(try joined.bytes())
        let reader = try VideoReader(source, options: .oneThread, interrupt: Interrupt())
        let frames = joined.frames
        #expect(try reader.length() == MediaTime(Int64(frames.count), over: 25))
        for (position, index) in [
            (Position.end, frames.count - 1), (Position.fraction(1, of: 2), frames.count / 2),
            (.seconds(100), frames.count - 1),
        ] {
            let snapshot = try reader.snapshot(at: try reader.moment(position), options: SnapshotOptions())
            #expect(joined.parts[0].number(in: snapshot.picture.rgb) == frames[index].number, "\(position)")
            #expect(snapshot.receipt.isClamped == (position == .seconds(100)))
        }
        let info = try reader.info()
        #expect(info.length == MediaTime(Int64(frames.count), over: 25))
        #expect(info.actions.contains { $0.contains("\(joined.parts.count) parts") })
        #expect(failure(of: source, at: .frame(3))?.code == .usage)
    }

    @Test("A part without a frame is passed over; a key frame in reach is one of its own part")
    func oddParts() throws {
        let parts = Clip.partsInTS
        let joined = try parts[1].bytes() + Self.packets(40) + parts[2].bytes()
        let reader = try VideoReader(.bytes(joined), options: .oneThread, interrupt: Interrupt())
        let time = try #require(MediaTime(16, over: 25))
        #expect(try self.parts(of: joined).count == 3 && reader.length() == MediaTime(55, over: 25))
        let snapshot = try reader.snapshot(at: try reader.moment(.time(time)), options: SnapshotOptions())
        #expect(parts[0].number(in: snapshot.picture.rgb) == 76)

        var wishes = SnapshotOptions()
        wishes.tolerance = .any
        let reader2 = try VideoReader(
            .bytes(try Joined(parts: parts).bytes()), options: .oneThread, interrupt: Interrupt())
        let key = try reader2.snapshot(at: try reader2.moment(.seconds(3)), options: wishes)
        #expect(parts[0].number(in: key.picture.rgb) == 75)
    }

    @Test("A clock that goes on, wraps, jumps forward or is damaged in a place makes no parts")
    func whole() throws {
        for clip in [Clip.ts, .transportWrap, .mpeg2InPS, .mpeg1, .keyFramesInTS, .mkv, .mkvPiped, .webmLive] {
            #expect(try parts(of: clip.bytes()) == [], "\(clip)")
        }
        #expect(try parts(of: Clip.partsInTS[0].bytes() + Clip.h264.bytes()) == [])
        let sound = try Clip.ts.bytes()
        for seed in UInt64(1)...40 {
            var (damaged, random) = (sound, SeededRandom(seed: seed))
            for _ in 0..<60 { damaged[Int.random(in: damaged.indices, using: &random)] ^= 0x10 }
            #expect(try parts(of: damaged) == [], "seed \(seed)")
        }
    }

    @Test("Where only the clock beside the pictures goes back, nothing begins anew")
    func clockAlone() throws {
        let sound = try Clip.ts.bytes()
        for packets in [200..<400, 200..<Int.max] {
            var (bytes, changed) = (sound, 0)
            for index in 0..<bytes.count / 188 where packets.contains(index) {
                let start = 188 * index
                // An adaptation field with a clock (PCR).
                guard bytes[start + 3] & 0x20 != 0, bytes[start + 4] >= 7, bytes[start + 5] & 0x10 != 0 else {
                    continue
                }
                let ticks = bytes[start + 6..<start + 10].reduce(0) { $0 << 8 | Int($1) }
                let earlier = ticks - 45000 / 2
                for byte in 0..<4 { bytes[start + 6 + byte] = UInt8(earlier >> (24 - 8 * byte) & 0xFF) }
                changed += 1
            }
            #expect(changed > 3)
            #expect(try parts(of: bytes) == [])
        }
    }

    @Test("From a source that can't be searched, frames behind a join are refused")
    func forwardOnly() throws {
        let bytes = try Self.joined[0].bytes()
        let pipe = Source.custom(name: "pipe") { _ in
            ScriptedSource(size: nil) { ScriptedSource.copy(bytes, $0, $1) }
        }
        let reader = try VideoReader(pipe, options: .oneThread, interrupt: Interrupt())
        let snapshot = try reader.snapshot(at: try reader.moment(.seconds(1)), options: SnapshotOptions())
        #expect(Clip.partsInTS[0].number(in: snapshot.picture.rgb) == 25)
        for position in [Position.seconds(3), .percent(50), .end] {
            #expect(failure(of: pipe, at: position)?.code == .unsupported, "\(position)")
        }
    }

    @Test("FLV that was appended to gives the frames of the first video, or is refused")
    func appendedFLV() throws {
        let clips = Clip.partsInFLV
        // Behind the header of the file and the size of the tag before the first.
        let source = Source.bytes(try clips[0].bytes() + clips[1].bytes().dropFirst(13))
        var refused = 0
        for index in 0..<60 {
            let time = try #require(MediaTime(Int64(index), over: 25))
            do throws(SnapError) {
                let reader = try VideoReader(source, options: .oneThread, interrupt: Interrupt())
                let snapshot = try reader.snapshot(at: try reader.moment(.time(time)), options: SnapshotOptions())
                #expect(clips[0].number(in: snapshot.picture.rgb) == index)
            } catch {
                #expect(error.code == .unsupported)
                refused += 1
            }
        }
        #expect(refused > 0)
        for position in [Position.end, .percent(50), .seconds(4), .frame(70)] {
            #expect(failure(of: source, at: position)?.code == .unsupported, "\(position)")
        }
    }

    @Test("Matroska that isn't searched for joins is refused where another video follows, but not where rubbish does")
    func matroskaElsewhere() throws {
        let (first, second) = (try Clip.partsInWebM[0].bytes(), try Clip.partsInWebM[1].bytes())
        func source(_ bytes: [UInt8]) -> Source {
            .custom(name: "elsewhere") { _ in
                ScriptedSource(size: Int64(bytes.count)) { ScriptedSource.copy(bytes, $0, $1) }
            }
        }
        #expect(failure(of: source(first + second), at: .seconds(1))?.code == .unsupported)
        for rest in [[], [0], [0x1A, 0x45, 0xDF], [UInt8](repeating: 0xFF, count: 100)] as [[UInt8]] {
            let reader = try VideoReader(source(first + rest), options: .oneThread, interrupt: Interrupt())
            let snapshot = try reader.snapshot(at: try reader.moment(.seconds(1)), options: SnapshotOptions())
            #expect(Clip.partsInWebM[0].number(in: snapshot.picture.rgb) == 25)
            #expect(try parts(of: first + rest).isEmpty)
        }
    }

    @Test("The place of a join is found in the middle of groups of pictures, by counters and by clocks")
    func seams() throws {
        for (clips, unit, head) in [(Clip.partsInTS, 188, 188), (Clip.partsInPS, 2048, 0)] {
            let (first, second) = (try clips[0].bytes(), try clips[1].bytes())
            var random = SeededRandom(seed: 3)
            for _ in 0..<25 {
                let end = unit * Int.random(in: first.count / unit / 2..<first.count / unit, using: &random)
                let start = head * Int.random(in: 0..<4, using: &random)
                let parts = try parts(of: Array(first[..<end] + second[start...]))
                try #require(parts.count == 2 && parts[0].lowerBound == 0)
                // A packet of the second may go on from the first by chance, and a table of the first come right before it.
                #expect(abs(parts[1].lowerBound - Int64(end)) <= head, "\(end) \(start)")
            }
        }
    }

    @Test("A join is found in a long file from a few places of it, wherever it is; without one, little is read")
    func longFiles() throws {
        let count = 4000
        for join in [20, 60, 100, 700, 2000, 3000, count - 20] {
            let bytes = Self.packets(join) + Self.packets(count - join)
            let parts = try parts(of: bytes)
            #expect(parts == [0..<Int64(join * Self.unit), Int64(join * Self.unit)..<Int64(bytes.count)])
        }
        let bytes = Self.packets(count)
        let read = Mutex(0)
        let source = ScriptedSource(size: Int64(bytes.count)) { buffer, offset in
            let count = ScriptedSource.copy(bytes, buffer, offset)
            read.withLock { $0 += count }
            return count
        }
        #expect(try JoinedParts.find(in: source, interrupt: Interrupt()).isEmpty)
        #expect(read.withLock { $0 } < bytes.count / 2)
    }

    private static let unit = 188 * 20

    /// A transport stream of nothing but times: a table, the beginning of a picture each tenth of a second, and filling.
    private static func packets(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for tenth in 0..<count {
            let ticks = tenth * 9000
            // 33 bits, and marks between them.
            let time = [0x21 | ticks >> 29 & 0xE, ticks >> 22, ticks >> 14 | 1, ticks >> 7, ticks << 1 | 1]
                .map { (part: Int) in UInt8(truncatingIfNeeded: part) }
            let counter = UInt8(tenth & 15)
            let table: [UInt8] = [0x47, 0x40, 0, 0x10 | counter]
            let reading: [UInt8] = [0x47, 0x41, 0, 0x10 | counter, 0, 0, 1, 0xE0, 0, 0, 0x80, 0x80, 5] + time
            let filling: [UInt8] = [0x47, 0x1F, 0xFF, 0x10]
            for packet in [table, reading] + Array(repeating: filling, count: 18) {
                bytes += packet + [UInt8](repeating: 0xFF, count: 188 - packet.count)
            }
        }
        return bytes
    }
}
