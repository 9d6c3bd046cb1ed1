import SnapBase
import TestSupport
import Testing

@testable import SnapPlaylist

@Suite("What the tags of a media playlist mean")
struct PlaylistParsingTests {
    @Test("Segments begin where the durations before them end, exactly")
    func starts() throws {
        let list = try media(
            "#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA-SEQUENCE:5\n#EXTINF:9.009,\na.ts\n#EXTINF:9.009,t\nb.ts\n#EXTINF:3\nc.ts\n#EXT-X-ENDLIST"
        )
        #expect(list.segments.map(\.start) == [.zero, MediaTime(9009, over: 1000), MediaTime(18018, over: 1000)])
        #expect(list.segments.map(\.sequence) == [5, 6, 7])
        #expect(list.duration == MediaTime(21018, over: 1000))
        #expect(!list.isLive)
        #expect(list.segments.map(\.line) == [5, 7, 9])
    }

    @Test("Line ends of any kind, a byte order mark, and what is not known")
    func text() throws {
        let list = try parse("\u{FEFF}#EXTM3U\r\n#comment\r\n#EXT-X-NEW:1\r\n\r\n#EXTINF:1.5,\r\na.ts\r\n")
        guard case .media(let media) = list else { throw NotAMediaPlaylist() }
        #expect(media.segments.map(\.uri) == ["a.ts"])
        #expect(media.isLive)
    }

    @Test("Byte ranges follow each other in one file")
    func byteRanges() throws {
        let list = try media(
            "#EXTINF:1,\n#EXT-X-BYTERANGE:100@20\na\n#EXTINF:1,\n#EXT-X-BYTERANGE:50\na\n#EXTINF:1,\n#EXT-X-BYTERANGE:7@0\nb"
        )
        #expect(list.segments.map { $0.byteRange?.range } == [20..<120, 120..<170, 0..<7])
        #expect(failure("#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:5\na")?.line == 4)
        #expect(
            failure("#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:5@0\na\n#EXTINF:1,\n#EXT-X-BYTERANGE:5\nb")?.code
                == .malformed)
    }

    @Test("Discontinuities divide segments into domains")
    func domains() throws {
        let list = try media(
            "#EXT-X-DISCONTINUITY-SEQUENCE:3\n#EXTINF:1,\na\n#EXT-X-DISCONTINUITY\n#EXTINF:1,\nb\n#EXTINF:1,\nc")
        #expect(list.segments.map(\.domain) == [3, 4, 4])
    }

    @Test("A gap is of one segment, and its time counts")
    func gaps() throws {
        let list = try media("#EXTINF:2,\na\n#EXT-X-GAP\n#EXTINF:2,\nb\n#EXTINF:2,\nc")
        #expect(list.segments.map(\.isGap) == [false, true, false])
        #expect(list.segments[2].start == MediaTime(seconds: 4))
    }

    @Test("Keys are in force until they are replaced or taken off")
    func keys() throws {
        let list = try media(
            """
            #EXTINF:1,
            a
            #EXT-X-KEY:METHOD=AES-128,URI="k1",IV=0x0000000000000000000000000000000A
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery"
            #EXTINF:1,
            b
            #EXT-X-KEY:METHOD=AES-128,URI="k2"
            #EXTINF:1,
            c
            #EXT-X-KEY:METHOD=NONE
            #EXTINF:1,
            d
            """)
        #expect(list.segments.map { $0.keys.map(\.uri) } == [[], ["k1", "skd://x"], ["skd://x", "k2"], []])
        #expect(list.segments[1].initializationVector == [UInt8](repeating: 0, count: 15) + [10])
        #expect(list.segments[2].initializationVector == [UInt8](repeating: 0, count: 15) + [2])
        #expect([list.segments[1].keys[1]].protectionName == "FairPlay, SAMPLE-AES")
    }

    @Test("The initialization vector of a high number is big-endian")
    func vector() throws {
        let list = try media("#EXT-X-MEDIA-SEQUENCE:258\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXTINF:1,\na")
        #expect(list.segments[0].initializationVector == [UInt8](repeating: 0, count: 14) + [1, 2])
    }

    @Test("A map holds for what comes behind it, with the keys that stand before it")
    func maps() throws {
        let list = try media(
            """
            #EXT-X-MAP:URI="plain.mp4"
            #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x1
            #EXTINF:1,
            a
            #EXT-X-MAP:URI="m.mp4",BYTERANGE="700@12"
            #EXTINF:1,
            b
            """)
        #expect(list.segments.map { $0.map?.uri } == ["plain.mp4", "m.mp4"])
        #expect(list.segments[0].map?.keys == [])
        #expect(list.segments[1].map?.keys.count == 1)
        #expect(list.segments[1].map?.byteRange?.range == 12..<712)
    }

    @Test("Parts belong to the segment behind them, or to the one to come")
    func parts() throws {
        let list = try media(
            """
            #EXT-X-PART-INF:PART-TARGET=0.5
            #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.5
            #EXT-X-PART:DURATION=0.5,URI="a.0",INDEPENDENT=YES
            #EXT-X-PART:DURATION=0.5,URI="a.1"
            #EXTINF:1,
            a
            #EXT-X-PART:DURATION=0.5,URI="b",BYTERANGE="10@0"
            #EXT-X-PART:DURATION=0.5,URI="b",BYTERANGE="20"
            #EXT-X-PRELOAD-HINT:TYPE=PART,URI="b.2"
            """)
        #expect(list.segments[0].parts.map(\.isIndependent) == [true, false])
        #expect(list.segments.last?.parts.map { $0.byteRange?.range } == [0..<10, 10..<30])
        #expect(list.partTarget == MediaTime(1, over: 2))
        #expect(list.serverControl.canBlockReload)
    }

    @Test("Variables are put in once, and not looked at again")
    func variables() throws {
        let list = try media(
            """
            #EXT-X-DEFINE:NAME="x",VALUE="i"
            #EXT-X-DEFINE:NAME="host",VALUE="h{$x}"
            #EXT-X-DEFINE:IMPORT="token"
            #EXT-X-DEFINE:QUERYPARAM="q"
            #EXT-X-KEY:METHOD=AES-128,URI="{$host}/k"
            #EXTINF:1,
            {$host}/{$token}/{$q}.ts
            """
        ) {
            $0.importedVariables = ["token": "t{$x}"]
            $0.queryParameters = ["q": "7"]
        }
        #expect(list.segments[0].uri == "hi/t{$x}/7.ts")
        #expect(list.segments[0].keys[0].uri == "hi/k")
        #expect(failure("#EXTM3U\n#EXTINF:1,\n{$nobody}.ts")?.code == .undefinedVariable)
        #expect(failure("#EXTM3U\n#EXT-X-DEFINE:IMPORT=\"a\"")?.code == .undefinedVariable)
        #expect(
            failure("#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"1\"\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"2\"")?.line == 3)
    }

    @Test(
        "What would lead to a wrong time, wrong bytes or a wrong key is an error with its line",
        arguments: [
            ("#EXTINF:,\na", 2), ("#EXTINF:abc,\na", 2), ("#EXTINF:-1,radio\na", 2), ("a.ts", 2),
            ("#EXT-X-MEDIA-SEQUENCE:x", 2), ("#EXTINF:1,\na\n#EXT-X-MEDIA-SEQUENCE:7", 4),
            ("#EXT-X-TARGETDURATION:no", 2), ("#EXT-X-KEY:METHOD=AES-128", 2),
            ("#EXT-X-KEY:URI=\"k\"", 2), ("#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=12", 2),
            ("#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x00112233445566778899aabbccddeeff0", 2),
            ("#EXT-X-MAP:BYTERANGE=\"1@0\"", 2), ("#EXT-X-MAP:URI=\"a", 2), ("#EXT-X-MAP:URI=\"a\",URI=\"b\"", 2),
            ("#EXTINF:1,\n#EXT-X-BYTERANGE:x\na", 3), ("#EXTINF:1,\n#EXT-X-BYTERANGE:0@0\na", 3),
            ("#EXTINF:1,\n#EXT-X-BYTERANGE:1@-1\na", 3), ("#EXT-X-SKIP:SKIPPED-SEGMENTS=3", 2),
            ("#EXT-X-MEDIA-SEQUENCE:18446744073709551615\n#EXTINF:1,\na\n#EXTINF:1,\nb", 6),
            ("#EXT-X-STREAM-INF:BANDWIDTH=1\na\n#EXTINF:1,\nb", 4),
        ])
    func errors(_ text: String, _ line: Int) {
        let error = failure("#EXTM3U\n" + text)
        #expect(error?.line == line, "\(String(describing: error))")
    }

    @Test("What does not begin as a playlist is none")
    func others() {
        for text in ["", "#EXTM3", "<html>", "#EXTINF:1,\na", " #EXTM3U"] {
            #expect(failure(text)?.code == .notAPlaylist)
        }
    }

    @Test("Limits are named in the errors that they cause")
    func limits() {
        let many = String(repeating: "#EXTINF:1,\na\n", count: 11)
        #expect(failure("#EXTM3U\n" + many) { $0.limits.segments = 10 }?.message.contains("10 segments") == true)
        #expect(failure("#EXTM3U\n" + many) { $0.limits.mediaByteCount = 100 }?.code == .tooLarge)
        #expect(failure("#EXTM3U\n#" + String(repeating: "x", count: 200)) { $0.limits.lineByteCount = 100 }?.line == 2)
        #expect(failure("#EXTM3U\n#EXTINF:1,\n" + String(repeating: "x", count: 9000))?.line == 3)
    }

    @Test("A bomb of variables stays small, and long lists are read in linear time")
    func hostile() throws {
        var bomb = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"v\",VALUE=\"\(String(repeating: "x", count: 8000))\"\n"
        bomb += "#EXTINF:1,\n" + String(repeating: "{$v}", count: 1000)
        #expect(failure(bomb)?.code == .tooLarge)
        let clock = ContinuousClock()
        let long = "#EXTM3U\n" + String(repeating: "#EXTINF:4.004,\nsegment-of-a-name.ts\n", count: 50_000)
        let bytes = Array(long.utf8)
        let time = try clock.measure { _ = try Playlist.parse(bytes) }
        #expect(time < .seconds(5))  // a debug build on a busy machine; a list read in squared time takes minutes
        guard case .media(let undated) = try Playlist.parse(bytes) else { throw NotAMediaPlaylist() }
        #expect(clock.measure { _ = undated.place(of: WallClock(sinceEpoch: .zero)) } < .seconds(5))
        let oneLine = Array(("#EXTM3U\n#" + String(repeating: "y", count: 7_000_000)).utf8)
        #expect(clock.measure { #expect(throws: PlaylistError.self) { try Playlist.parse(oneLine) } } < .seconds(5))
    }

    @Test("Numbers that no stream has end nothing")
    func numbers() throws {
        let most = "18446744073709551615"
        let list = try media(
            """
            #EXT-X-DISCONTINUITY-SEQUENCE:\(most)
            #EXT-X-MEDIA-SEQUENCE:\(most)
            #EXT-X-BITRATE:9223372036854775807
            #EXT-X-DISCONTINUITY
            #EXTINF:999999999999999.999999999,
            a
            """)
        #expect(list.segments.count == 1)
        #expect(list.change(since: list) == .unchanged)
        #expect(list.segmentIndex(at: MediaTime(seconds: .max)) == nil)
        let ladder = try variants(
            "#EXT-X-STREAM-INF:BANDWIDTH=9223372036854775807,RESOLUTION=9223372036854775807x9223372036854775807\na")
        #expect(ladder.ranked(for: VariantWish(.automatic, for: .width(100))) { _ in true }.variants.count == 1)
    }

    @Test("No text makes it fail otherwise than by its own error")
    func mutations() {
        let seed = Array(
            """
            #EXTM3U
            #EXT-X-VERSION:9
            #EXT-X-TARGETDURATION:4
            #EXT-X-DEFINE:NAME="a",VALUE="b"
            #EXT-X-MAP:URI="i{$a}.mp4",BYTERANGE="10@0"
            #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x01
            #EXT-X-PROGRAM-DATE-TIME:2026-11-20T18:00:00.250+01:00
            #EXTINF:4.004,title
            #EXT-X-BYTERANGE:100@9223372036854775807
            a.m4s
            #EXT-X-DISCONTINUITY
            #EXT-X-PART:DURATION=0.5,URI="p",BYTERANGE="5@7",INDEPENDENT=YES
            #EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=99999999999x2,CODECS="avc1.1,mp4a"
            v.m3u8
            """.utf8)
        var generator = SeededRandom(seed: 3)
        for _ in 0..<20_000 {
            var text = seed
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let place = Int.random(in: 8..<text.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: text[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: text.remove(at: place)
                case 2: text.insert(contentsOf: text[place...].prefix(20), at: place)
                default: text.insert(UInt8(ascii: "9"), at: place)
                }
            }
            if case .media(let list)? = try? Playlist.parse(text) {
                _ = list.segmentIndex(at: MediaTime(seconds: 3))
                _ = list.place(of: WallClock(sinceEpoch: MediaTime(seconds: 1)))
            }
        }
    }
}
