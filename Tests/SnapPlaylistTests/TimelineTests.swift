import SnapBase
import Testing

@testable import SnapPlaylist

@Suite("From times and dates to segments")
struct TimelineTests {
    private func list(_ durations: [String], _ head: String = "") throws -> MediaPlaylist {
        try media(head + durations.map { "#EXTINF:\($0),\ns\n" }.joined())
    }

    @Test("The last segment that begins at or before a time, with a millisecond of slack")
    func segments() throws {
        let list = try list(["4", "4", "2.5"])
        let cases: [(MediaTime, Int?)] = [
            (.zero, 0), (MediaTime(3998, over: 1000)!, 0), (MediaTime(3999, over: 1000)!, 1),
            (MediaTime(seconds: 4), 1), (MediaTime(seconds: 8), 2), (MediaTime(104, over: 10)!, 2),
            (MediaTime(105, over: 10)!, nil), (MediaTime(seconds: 1000), nil),
        ]
        for (time, index) in cases { #expect(list.segmentIndex(at: time) == index, "\(time)") }
    }

    @Test("Dates go on by durations, both ways, up to the next date or discontinuity")
    func dates() throws {
        let list = try media(
            """
            #EXTINF:4,
            a
            #EXT-X-PROGRAM-DATE-TIME:2026-11-20T18:00:00Z
            #EXTINF:4,
            b
            #EXTINF:4,
            c
            #EXT-X-DISCONTINUITY
            #EXTINF:4,
            d
            """)
        let base = try #require(WallClock("2026-11-20T18:00:00Z"))
        #expect(list.date(ofSegment: 0) == base + MediaTime(seconds: -4))
        #expect(list.date(ofSegment: 2) == base + MediaTime(seconds: 4))
        #expect(list.date(ofSegment: 3) == nil)
        #expect(list.place(of: base + MediaTime(seconds: 5)) == .time(MediaTime(seconds: 9)))
        #expect(list.place(of: base + MediaTime(seconds: -4)) == .time(.zero))
        let window = MediaPlaylist.DatePlace.outside(
            from: base + MediaTime(seconds: -4), to: base + MediaTime(seconds: 8))
        #expect(list.place(of: base + MediaTime(seconds: 8)) == window)
        #expect(list.place(of: base + MediaTime(seconds: -5)) == window)
        #expect(try self.list(["1"]).place(of: base) == .undated)
    }

    @Test(
        "Dates in the forms that occur",
        arguments: [
            ("2026-11-20T18:00:00Z", "2026-11-20T18:00:00.000Z"),
            ("2026-11-20T18:00:00.25Z", "2026-11-20T18:00:00.250Z"),
            ("2026-11-20T19:00:00+01:00", "2026-11-20T18:00:00.000Z"),
            ("2026-11-20T19:00:00.5+0100", "2026-11-20T18:00:00.500Z"),
            ("2026-11-20T19:00:00+01", "2026-11-20T18:00:00.000Z"),
            ("2026-11-20T18:00:00", "2026-11-20T18:00:00.000Z"),
            ("2026-11-20T18:00Z", "2026-11-20T18:00:00.000Z"),
            ("2024-02-29T23:59:60Z", "2024-03-01T00:00:00.000Z"),
            ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
        ])
    func forms(_ text: String, _ expected: String) { #expect(WallClock(text)?.description == expected) }

    @Test(
        "Dates that there are not",
        arguments: [
            "", "2026", "2026-11-20", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-11-20T24:00:01Z",
            "2026-11-20T18:60:00Z", "2026-11-20T18:00:00x", "2026-11-20T18:00:00+25:00", "18:00:00",
        ])
    func noDates(_ text: String) { #expect(WallClock(text) == nil) }
}
