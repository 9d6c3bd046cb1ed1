import SnapBase
import TestSupport
import Testing

@Suite("A path is any bytes, and its text stands for just these")
struct PathTextTests {
    @Test(
        "UTF-8 is its own text", arguments: ["", "a b.mp4", "día/ü\u{308}.mp4", "日本語", "🎬", "\u{FFFD}", "\u{10FF7F}"])
    func plain(_ text: String) {
        #expect(Array(String(pathBytes: Array(text.utf8)).utf8) == Array(text.utf8))
        #expect(text.pathBytes == Array(text.utf8))
        #expect(!text.holdsStrayBytes)
    }

    @Test(
        "Bytes that are no UTF-8 are scalars of their own",
        arguments: [
            ([0xFF], "\u{10FFFF}"),
            ([0x66, 0xFF, 0xFE, 0x2E, 0x6D], "f\u{10FFFF}\u{10FFFE}.m"),
            ([0x80, 0x2F, 0xC3, 0xA9], "\u{10FF80}/é"),
            ([0xC3], "\u{10FFC3}"),  // the begin of a sequence
            ([0xE2, 0x82, 0x41], "\u{10FFE2}\u{10FF82}A"),
            ([0xC0, 0xAF], "\u{10FFC0}\u{10FFAF}"),  // a slash in two bytes
            ([0xED, 0xA0, 0x80], "\u{10FFED}\u{10FFA0}\u{10FF80}"),  // a surrogate
            ([0xF4, 0x90, 0x80, 0x80], "\u{10FFF4}\u{10FF90}\u{10FF80}\u{10FF80}"),  // past the last scalar
            ([0xF4, 0x8F, 0xBE, 0x80], "\u{10FFF4}\u{10FF8F}\u{10FFBE}\u{10FF80}"),  // U+10FF80 in a name
            ([0xF4, 0x8F, 0xBF, 0xBF], "\u{10FFF4}\u{10FF8F}\u{10FFBF}\u{10FFBF}"),  // U+10FFFF in a name
        ] as [([UInt8], String)])
    func stray(_ bytes: [UInt8], _ text: String) {
        #expect(Array(String(pathBytes: bytes).unicodeScalars) == Array(text.unicodeScalars))
        #expect(text.pathBytes == bytes)
        #expect(text.holdsStrayBytes)
    }

    @Test("Every path comes back as it was, through C too")
    func roundTrip() {
        var random = SeededRandom(seed: 10)
        // Mostly what sequences are made of, so that many are whole, cut short, or one of the scalars in use here.
        let pieces: [[UInt8]] = [
            [0x61], [0x2F], [0xC3], [0xA9], [0xC3, 0xA9], [0xE2, 0x82, 0xAC], [0xF0, 0x9F, 0x8E, 0xAC], [0xF4],
            [0x8F], [0xBE], [0xBF], [0x80], [0xF4, 0x8F, 0xBE, 0x80], [0xF4, 0x8F, 0xBF, 0xBF], [0xCC, 0x81],
        ]
        for round in 0..<20_000 {
            let length = Int.random(in: 0...12, using: &random)
            let bytes: [UInt8] =
                round.isMultiple(of: 2)
                ? (0..<length).map { _ in UInt8.random(in: 1 ... .max, using: &random) }
                : (0..<length).flatMap { _ in pieces.randomElement(using: &random) ?? [] }
            let text = String(pathBytes: bytes)
            let inC = text.withPath { path in
                var end = 0
                while path[end] != 0 { end += 1 }
                return UnsafeBufferPointer(start: path, count: end).map { UInt8(bitPattern: $0) }
            }
            let back = (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
                buffer.baseAddress.map { String(path: $0) }
            }
            guard text.pathBytes == bytes, inC == bytes, back == text else {
                Issue.record("\(bytes) became \(text.unicodeScalars.map(\.value)) and then \(text.pathBytes)")
                return
            }
        }
    }

    @Test("Texts put together stand for their bytes put together")
    func joining() {
        let (first, second): ([UInt8], [UInt8]) = ([0x61, 0xC3], [0xA9, 0xFF])
        #expect((String(pathBytes: first) + String(pathBytes: second)).pathBytes == first + second)
    }
}
