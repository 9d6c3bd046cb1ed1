import SnapBase
import Testing

@testable import SnapPlaylist

@Suite("Reloading")
struct ReloadTests {
    /// A list from a number on, with a segment for each name, of four seconds.
    private func list(_ sequence: UInt64, _ names: [String], _ tail: String = "") throws -> MediaPlaylist {
        try media(
            "#EXT-X-TARGETDURATION:5\n#EXT-X-MEDIA-SEQUENCE:\(sequence)\n"
                + names.map { "#EXTINF:4,\n\($0)\n" }.joined() + tail)
    }

    private func part(_ name: String, isIndependent: Bool = false) -> String {
        "#EXT-X-PART:DURATION=0.5,URI=\"\(name)\"\(isIndependent ? ",INDEPENDENT=YES" : "")\n"
    }

    @Test("Numbers tell what a reload brought")
    func changes() throws {
        let first = try list(10, ["a", "b", "c"])
        #expect(first.change(since: first) == .unchanged)
        #expect(try list(12, ["c", "d", "e"]).change(since: first) == .advanced)
        #expect(try list(13, ["d"]).change(since: first) == .advanced)
        #expect(try list(10, ["a", "b", "c"], "#EXT-X-ENDLIST\n").change(since: first) == .advanced)
        // Signed anew, and still the same.
        #expect(try list(10, ["a?s=1", "b?s=2", "c?s=3"]).change(since: first) == .unchanged)
        #expect(try list(10, ["a", "b", "c"], part("d.0")).change(since: first) == .advanced)
        // A window that became longer.
        #expect(try list(9, ["0", "a", "b", "c", "d"]).change(since: first) == .advanced)
    }

    @Test("An older copy is not a stream that began anew")
    func outdated() throws {
        let newer = try list(12, ["c", "d", "e"], part("f.0") + part("f.1"))
        #expect(try list(10, ["a", "b", "c"]).change(since: newer) == .outdated)
        #expect(try list(12, ["c", "d", "e"], part("f.0")).change(since: newer) == .outdated)
        #expect(try list(12, ["c", "d", "e"]).change(since: newer) == .outdated)
        // The end counts all the same, and leaves out what never became a segment.
        #expect(try list(12, ["c", "d", "e"], "#EXT-X-ENDLIST\n").change(since: newer) == .advanced)
        #expect(try list(0, ["x", "y"]).change(since: newer) == .restarted)
        #expect(try list(12, ["x", "y"]).change(since: newer) == .restarted)
        #expect(try list(0, []).change(since: newer) == .restarted)
    }

    @Test("The time line goes on")
    func offsets() throws {
        let first = try list(10, ["a", "b", "c"])
        #expect(try list(12, ["c", "d", "e"]).offset(from: first) == MediaTime(seconds: 8))
        #expect(try list(13, ["d"]).offset(from: first) == MediaTime(seconds: 12))
        // Two segments that nobody saw, each as long as any may be.
        #expect(try list(15, ["f"]).offset(from: first) == MediaTime(seconds: 22))
        #expect(try list(9, ["0", "a", "b", "c", "d"]).offset(from: first) == MediaTime(seconds: -4))
    }

    @Test("A segment that is not complete is the last of a list, and as long as its parts")
    func incomplete() throws {
        let live = try list(10, ["a", "b"], part("c.0", isIndependent: true) + part("c.1"))
        #expect(live.segments.count == 3 && live.duration == MediaTime(seconds: 9))
        let last = try #require(live.segments.last)
        #expect(!last.isComplete && last.sequence == 12)
        #expect(last.pieces.map(\.uri) == ["c.0", "c.1"])
        #expect(last.pieces.map(\.start) == [MediaTime(seconds: 8), MediaTime(17, over: 2)])
        #expect(last.pieces.map(\.part) == [0, 1])
        #expect(live.segmentIndex(at: MediaTime(87, over: 10)!) == 2)
        // One that is missing ends it; one that is missing first leaves nothing.
        let gap = "#EXT-X-PART:DURATION=0.5,URI=\"g\",GAP=YES\n"
        #expect(try list(10, ["a"], part("b.0") + gap + part("b.2")).segments[1].pieces.map(\.uri) == ["b.0"])
        let empty = try list(10, ["a"], gap + part("b.1"))
        #expect(empty.segments[1].isGap && empty.newestIndex == 0)
        // Encrypted, or behind the end.
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n"
        #expect(try list(10, ["a"], key + part("b.0")).segments.count == 1)
        #expect(try list(10, ["a"], part("b.0") + "#EXT-X-ENDLIST\n").segments.count == 1)
    }

    @Test("The newest frame is decoded from the newest part that begins with a key frame")
    func newest() throws {
        let (key, other) = (part("i", isIndependent: true), part("p"))
        func newest(_ tail: String) throws -> [String] { try list(10, ["a"], tail).newestParts.map(\.uri) }
        #expect(try newest("") == [])
        #expect(try newest(key + other) == ["i", "p"])
        #expect(try newest(key + other + key + other + other) == ["i", "p", "p"])
        // Of a segment that is complete by now, and on into the one that isn't.
        #expect(try newest(key + key + other + "#EXTINF:4,\nb\n") == ["i", "p"])
        #expect(try newest(key + other + "#EXTINF:4,\nb\n" + other) == ["i", "p", "p"])
        #expect(try newest(key + other + "#EXTINF:4,\nb\n#EXT-X-DISCONTINUITY\n" + other) == [])
        #expect(try newest(other) == [])
        let encrypted = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n" + key + "#EXTINF:4,\nb\n#EXT-X-KEY:METHOD=NONE\n"
        #expect(try newest(encrypted + other) == [])
        let gap = "#EXT-X-PART:DURATION=0.5,URI=\"g\",GAP=YES\n"
        #expect(try newest(key + gap + "#EXTINF:4,\nb\n") == [])
    }

    @Test("What is asked of a server that answers when there is something newer")
    func blocking() throws {
        let can = "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES\n"
        let parts = can + "#EXT-X-PART-INF:PART-TARGET=0.5\n"
        #expect(try list(10, ["a", "b"]).blockingReload == nil)
        #expect(try list(10, ["a", "b"], can).blockingReload == ["_HLS_msn=12"])
        #expect(try list(10, ["a", "b"], parts).blockingReload == ["_HLS_msn=12", "_HLS_part=0"])
        #expect(
            try list(10, ["a", "b"], parts + part("c.0") + part("c.1")).blockingReload
                == ["_HLS_msn=12", "_HLS_part=2"])
        #expect(try list(10, ["a", "b"], can + "#EXT-X-ENDLIST\n").blockingReload == nil)
    }
}
