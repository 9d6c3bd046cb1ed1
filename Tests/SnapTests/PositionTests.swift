import Snap
import SnapBase
import Testing

@Suite("What is typed after --at")
struct PositionTests {
    @Test(
        "Times are exact fractions of a second",
        arguments: [
            ("1", 1, 1), ("1.5", 3, 2), ("0", 0, 1), (".5", 1, 2), ("90s", 90, 1), ("1m30s", 90, 1), ("250ms", 1, 4),
            ("1h", 3600, 1),
            ("1h2m3.5s", 7447, 2), ("00:01:30.250", 361, 4), ("1:30", 90, 1), ("100:00:00", 360_000, 1),
            ("1000/60", 50, 3),
            ("1001/30000", 1001, 30000), ("0.1", 1, 10), ("1.5/3", 1, 2), ("40us", 1, 25000),
        ])
    func times(_ text: String, _ numerator: Int64, _ denominator: Int64) throws {
        #expect(try Position(text) == .time(try #require(MediaTime(numerator, over: denominator))))
    }

    @Test("Other forms")
    func others() throws {
        #expect(try Position("50%") == .fraction(50, of: 100))
        #expect(try Position("12.5%") == .fraction(125, of: 1000))
        #expect(try Position("start") == .start)
        #expect(try Position(" END ") == .end)
        #expect(try Position("end-1.5s") == .beforeEnd(try #require(MediaTime(3, over: 2))))
        #expect(try Position("frame:120") == .frame(120))
        #expect(try Position("auto") == .representative)
        #expect(try Position("live") == .live(behind: .zero))
        #expect(try Position("LIVE-1m") == .live(behind: MediaTime(seconds: 60)))
        #expect(try Position("2026-11-20T18:00:00Z") == .date(try #require(WallClock("2026-11-20T18:00:00+00:00"))))
    }

    @Test(
        "What is no time is refused with a sentence that names it",
        arguments: [
            "", "x", "-1", "1:60", "1:2:3:4", "1:60:00", "1.2.3", "1s1m", "1 s", "1/0", "101%", "-5%", "%", "frame:",
            "frame:-1", "frame:1.5",
            "end-", "end+1", "1e3", "nan", "0x10", "١", "9999999999999999999", "live-", "live+1",
            "2026-11-20T18:00:00X", "2026-02-29T00:00:00Z", "2026-11-20",
        ])
    func refused(_ text: String) {
        do throws(SnapError) {
            let position = try Position(text)
            Issue.record("'\(text)' was read as \(position)")
        } catch {
            #expect(error.code == .usage)
            #expect(error.exitCode == 64)
            #expect(text.isEmpty || error.message.contains(text))
        }
    }

    @Test("Tolerances")
    func tolerances() throws {
        let half = try #require(MediaTime(1, over: 2))
        #expect(try Tolerance("0") == .exact)
        #expect(try Tolerance("0.5s") == Tolerance(before: half, after: half))
        #expect(try Tolerance("-0.5s,+1s") == Tolerance(before: half, after: MediaTime(seconds: 1)))
        #expect(try Tolerance("+1s") == Tolerance(before: .zero, after: MediaTime(seconds: 1)))
        #expect(try Tolerance("any") == .any)
        #expect(throws: SnapError.self) { try Tolerance("-1s,2s") }
        #expect(throws: SnapError.self) { try Tolerance("much") }
    }
}
