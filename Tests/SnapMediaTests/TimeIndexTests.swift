import SnapBase
import SnapMedia
import TestSupport
import Testing

/// The value that is kept between visits, and its file.
@Suite("A time index is read as it was written, or not at all")
struct TimeIndexTests {
    private static let identity = [UInt8](repeating: 7, count: TimeIndex.identityLength)

    /// Key frames in several states of knowledge.
    private static func sample() throws -> TimeIndex {
        var index = TimeIndex(.init(container: "mpegts", codec: 27, timeBase: try #require(TimeBase(1, over: 90000))))
        for key in [
            TimeIndex.Key(offset: 564, presentation: -97200, reach: 80_000, number: 0, checksum: 0xdead_beef),
            TimeIndex.Key(offset: 200_000, presentation: 80_000, reach: 110_000, number: 48),
            TimeIndex.Key(offset: 1 << 40, presentation: 1 << 50, reach: 1 << 50, checksum: 1),
            TimeIndex.Key(offset: 1 << 41, presentation: 1 << 51, reach: Ticks.limit, number: 900),
        ] {
            let lesson = index.learn(key)
            #expect(lesson == .new)
        }
        index.end = .init(lastPresentation: 1 << 52, end: 1 << 52 + 3600)
        return index
    }

    @Test("What is encoded is decoded the same")
    func roundTrip() throws {
        let index = try Self.sample()
        #expect(TimeIndex(index.encoded(for: Self.identity), for: Self.identity) == index)
        let empty = TimeIndex(index.stream)
        #expect(TimeIndex(empty.encoded(for: Self.identity), for: Self.identity) == empty)
    }

    @Test("It is about one state of one file, and about no other")
    func foreign() throws {
        let bytes = try Self.sample().encoded(for: Self.identity)
        var other = Self.identity
        other[31] ^= 1
        #expect(TimeIndex(bytes, for: other) == nil)
    }

    @Test("Cut short anywhere, it is none")
    func truncated() throws {
        let bytes = try Self.sample().encoded(for: Self.identity)
        for count in bytes.indices { #expect(TimeIndex(Array(bytes.prefix(count)), for: Self.identity) == nil) }
        #expect(TimeIndex(bytes + [0], for: Self.identity) == nil)
    }

    @Test("With any bit turned over, it is none")
    func flipped() throws {
        let bytes = try Self.sample().encoded(for: Self.identity)
        for place in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[place] ^= 1 << bit
                #expect(TimeIndex(changed, for: Self.identity) == nil, "byte \(place), bit \(bit)")
            }
        }
    }

    /// Somebody who means harm gets the sum right, too.
    @Test("Bytes that make no sense under a right checksum are none, or one in order, and nothing traps")
    func forged() throws {
        var random = SeededRandom(seed: 5)
        let bytes = try Self.sample().encoded(for: Self.identity)
        let start = bytes.count - 8
        var accepted = 0
        for _ in 0..<20_000 {
            var changed = Array(bytes[..<start])
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 41..<start, using: &random)
                changed[place] =
                    [0, 1, 0x7f, 0x80, 0xff, UInt8.random(in: 0...255, using: &random)]
                    .randomElement(using: &random) ?? 0
            }
            changed += Self.sum(of: changed)
            guard let index = TimeIndex(changed, for: Self.identity) else { continue }
            accepted += 1
            let isInOrder = zip(index.keys, index.keys.dropFirst()).allSatisfy {
                $0.offset <= $1.offset && $0.presentation < $1.presentation && $0.reach <= $1.presentation
            }
            #expect(isInOrder && index.keys.allSatisfy { $0.offset >= 0 && abs($0.presentation) <= Ticks.limit })
        }
        #expect(accepted > 0)
    }

    /// FNV-1a of 64 bits, the lowest byte first.
    private static func sum(of bytes: [UInt8]) -> [UInt8] {
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return (0..<8).map { UInt8(truncatingIfNeeded: hash >> (8 * $0)) }
    }

    @Test("A time between key frames that may have others between them is not known")
    func reach() throws {
        let index = try Self.sample()
        let table: [(time: Int64, offset: Int64?)] = [
            (-97201, nil), (-97200, 564), (79_999, 564), (80_000, 200_000), (109_999, 200_000), (110_000, nil),
            (1 << 50, 1 << 40), (1 << 50 + 1, nil), (1 << 51, 1 << 41), (1 << 59, 1 << 41),
        ]
        for row in table { #expect(index.key(at: row.time)?.offset == row.offset, "\(row.time)") }
        #expect(index.key(notAfterNumber: 47)?.offset == 564)
        #expect(index.key(notAfterNumber: 899)?.offset == 200_000)
        #expect(index.key(notAfterNumber: 900)?.offset == 1 << 41)
    }

    @Test(
        "What contradicts is not taken for knowledge",
        arguments: [
            TimeIndex.Key(offset: 100, presentation: 90_000),  // later, but farther in front
            TimeIndex.Key(offset: 300_000, presentation: 79_000),  // earlier, but farther behind
            TimeIndex.Key(offset: 300_000, presentation: 100_000),  // where no other should be
            TimeIndex.Key(offset: 200_000, presentation: 80_000, number: 49),
            TimeIndex.Key(offset: 564, presentation: -97200, checksum: 1),
            TimeIndex.Key(offset: 564, presentation: -97200, reach: 80_001),
        ])
    func contradictions(_ key: TimeIndex.Key) throws {
        var index = try Self.sample()
        let lesson = index.learn(key)
        #expect(lesson == .contradiction)
    }

    @Test("Two visits' knowledge is put together")
    func merging() throws {
        let whole = try Self.sample()
        var (left, right) = (TimeIndex(whole.stream), TimeIndex(whole.stream))
        for (place, key) in whole.keys.enumerated() {
            var key = key
            if place % 2 == 0 { _ = left.learn(key) } else { key.reach = key.presentation }
            if place % 2 == 1 { _ = right.learn(key) }
        }
        right.end = whole.end
        let agree = left.learn(right)
        #expect(agree)
        #expect(left.end == whole.end && left.keys.map(\.offset) == whole.keys.map(\.offset))
        #expect(left.key(at: 0) != nil && left.key(at: 90_000) == nil)
    }

    @Test("A key frame takes some ten bytes")
    func size() throws {
        var index = try TimeIndex(Self.sample().stream)
        for number in 0..<Int64(3600) {
            let key = TimeIndex.Key(
                offset: number * 1_250_000, presentation: 126_000 + number * 180_000,
                reach: 126_000 + (number + 1) * 180_000,
                number: number * 50, checksum: UInt32(truncatingIfNeeded: number &* 2_654_435_761))
            let lesson = index.learn(key)
            #expect(lesson == .new)
        }
        #expect(index.encoded(for: Self.identity).count < 3600 * 13)
    }
}
