import SnapBase
import TestSupport
import Testing

@testable import SnapMedia

@Suite("What a Matroska file says, and libavformat doesn't tell")
struct MatroskaTests {
    private func bigEndian(_ number: Int, bytes count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private func element(_ kind: UInt32, _ content: [UInt8]) -> [UInt8] {
        let name = bigEndian(Int(kind), bytes: 4).drop { $0 == 0 }
        return name + [0x40 | UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
    }

    private func element(_ kind: UInt32, _ number: Int, bytes: Int = 4) -> [UInt8] {
        element(kind, bigEndian(number, bytes: bytes))
    }

    private func file(_ elements: [UInt8]) -> [UInt8] {
        element(Kind.header, [0x42, 0x86, 0x81, 1])
            + element(Kind.segment, elements + element(Kind.cluster, [0xE7, 0x81, 0]))
    }

    private func tracks(_ settings: [UInt8]) -> [UInt8] {
        let audio = element(Kind.trackEntry, element(Kind.trackType, 2, bytes: 1))
        let video = element(Kind.trackEntry, element(Kind.trackType, 1, bytes: 1) + element(Kind.video, settings))
        return element(Kind.tracks, audio + video)
    }

    private func crop(_ settings: [UInt8]) throws(MediaError) -> MatroskaCrop? {
        try MatroskaCrop(in: reader(file(tracks(settings))), videoTrack: 0, width: 200, height: 100)
    }

    private func reader(_ bytes: [UInt8]) -> ByteReader { ByteReader(MemoryByteSource(bytes), interrupt: Interrupt()) }

    private typealias Kind = EBMLElement.Kind

    @Test("The part of the picture, and the shape of pixels that its size on screen makes")
    func cropping() throws {
        let sides =
            element(Kind.cropLeft, 10) + element(Kind.cropRight, 30) + element(Kind.cropTop, 4)
            + element(Kind.cropBottom, 16)
        let plain = try #require(try crop(sides))
        #expect(plain.rectangle == PixelRectangle(x: 10, y: 4, width: 160, height: 80))
        #expect(plain.sampleAspectRatio == .square)
        let wide = try crop(sides + element(Kind.displayWidth, 480) + element(Kind.displayHeight, 120))
        #expect(wide?.sampleAspectRatio == AspectRatio(2, over: 1))
        let unknown = try crop(sides + element(Kind.displayWidth, 480) + element(Kind.displayUnit, 4))
        #expect(unknown != nil && unknown?.sampleAspectRatio == nil)
        #expect(try crop([]) == nil)
    }

    @Test("Cropping that leaves nothing, or can't be, is none")
    func wrongCropping() throws {
        for (left, right) in [(200, 0), (0, 200), (100, 100), (1 << 40, 0), (Int.max, Int.max)] {
            let settings = element(Kind.cropLeft, left, bytes: 8) + element(Kind.cropRight, right, bytes: 8)
            #expect(try crop(settings) == nil, "\(left) \(right)")
        }
        let left = element(Kind.cropLeft, 8)
        #expect(try crop(left + element(Kind.displayWidth, .max, bytes: 8)) != nil)
        #expect(try crop(element(Kind.cropLeft, [UInt8](repeating: 1, count: 9))) == nil)
        #expect(try MatroskaCrop(in: reader(file(tracks(left))), videoTrack: 1, width: 200, height: 100) == nil)
    }

    private func chapter(_ start: Int, _ end: Int, _ more: [UInt8] = []) -> [UInt8] {
        element(
            Kind.chapter, element(Kind.chapterStart, start, bytes: 8) + element(Kind.chapterEnd, end, bytes: 8) + more)
    }

    private func edition(ordered: Bool, isDefault: Bool, _ chapters: [UInt8]) -> [UInt8] {
        let ordering = element(Kind.editionIsOrdered, ordered ? 1 : 0, bytes: 1)
        return element(Kind.edition, element(Kind.editionIsDefault, isDefault ? 1 : 0, bytes: 1) + ordering + chapters)
    }

    private func ranges(_ editions: [UInt8]) throws(MediaError) -> [Range<Int64>] {
        try OrderedChapters(in: reader(file(element(Kind.chapters, editions)))).ranges
    }

    @Test("Chapters of the default edition, or the first, where that is ordered; neighbours are one")
    func editions() throws {
        let (one, other) = (chapter(5, 9) + chapter(9, 12) + chapter(0, 3), chapter(7, 8))
        #expect(try ranges(edition(ordered: true, isDefault: false, one)) == [5..<12, 0..<3])
        #expect(try ranges(edition(ordered: false, isDefault: false, one)) == [])
        #expect(
            try ranges(
                edition(ordered: false, isDefault: false, one) + edition(ordered: true, isDefault: true, other)) == [
                    7..<8
                ])
        #expect(
            try ranges(
                edition(ordered: true, isDefault: false, one) + edition(ordered: false, isDefault: true, other)) == [])
        let off = element(Kind.chapterIsEnabled, 0, bytes: 1)
        let odd = chapter(4, 4) + chapter(6, 2) + chapter(1, 2, off) + element(Kind.chapter, []) + chapter(20, 21)
        #expect(try ranges(edition(ordered: true, isDefault: true, odd)) == [20..<21])
    }

    @Test("Chapters behind the frames are found by the list of elements")
    func chaptersAtTheEnd() throws {
        let chapters = element(Kind.chapters, edition(ordered: true, isDefault: true, chapter(5, 9)))
        func list(_ position: Int) -> [UInt8] {
            let seek = element(Kind.seekKind, Int(Kind.chapters)) + element(Kind.seekPosition, position, bytes: 8)
            return element(Kind.seekHead, element(Kind.seek, seek))
        }
        let cluster = element(Kind.cluster, [0xE7, 0x81, 0])
        let position = list(0).count + cluster.count
        let found = try OrderedChapters(in: reader(file(list(position) + cluster + chapters))).ranges
        #expect(found == [5..<9])
        for wrong in [position + 1, 0, Int.max] {
            let none = try OrderedChapters(in: reader(file(list(wrong) + cluster + chapters))).ranges
            #expect(none.isEmpty, "\(wrong)")
        }
    }

    @Test("Any bytes at all are borne")
    func hostile() throws {
        var random = SeededRandom(seed: 5)
        let chapters = edition(ordered: true, isDefault: true, chapter(5, .max) + chapter(1, 2))
        let settings = element(Kind.cropLeft, 10) + element(Kind.displayWidth, 99)
        let sound = file(tracks(settings) + element(Kind.chapters, chapters))
        let base = try #require(TimeBase(1, over: 1_000_000_000))
        for _ in 0..<3000 {
            var bytes = sound
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            bytes.removeLast(Int.random(in: 0...bytes.count / 4, using: &random))
            if let crop = try MatroskaCrop(in: reader(bytes), videoTrack: 0, width: 200, height: 100) {
                #expect(crop.rectangle.clipped(toWidth: 200, height: 100) == crop.rectangle)
            }
            let list = EditList(try OrderedChapters(in: reader(bytes)), timeBase: base, end: 1000, tolerance: 1)
            _ = EditTimeline(list, timeBase: base, streamEnd: 1000).length
            _ = try EBMLElement.segment(in: reader(bytes))?.end
        }
    }
}
