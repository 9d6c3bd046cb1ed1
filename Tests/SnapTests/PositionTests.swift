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
            ("1001/30000", 1001, 30000), ("1234567890.123456789", 1_234_567_890_123_456_789, 1_000_000_000),
            ("1.0333333333333334", 10_333_333_333_333_334, 10_000_000_000_000_000),
            ("0.30000000000000004", 3, 10), ("0.99999999999999999999", 1, 1),
            ("33.3333333333333357s", 333_333_333_333_333_357, 10_000_000_000_000_000),
            ("999999999999.9999994", 999_999_999_999_999_999, 1_000_000), ("0.10000000000000000000000000s", 1, 10),
            ("00:00:01.0333333333333334", 10_333_333_333_333_334, 10_000_000_000_000_000),
            ("0.1", 1, 10), ("1.5/3", 1, 2), ("40us", 1, 25000),
        ])
    func times(_ text: String, _ numerator: Int64, _ denominator: Int64) throws {
        #expect(try Position(text) == .time(try #require(MediaTime(numerator, over: denominator))))
    }

    @Test("A number next to a frame's time, as programs print it, does not lead to the frame before")
    func printedNumbers() throws {
        for frame in 1...1000 as ClosedRange<Int64> {
            let printed = Double(frame) / 30
            let exact = try #require(MediaTime(frame, over: 30))
            let parsed = try MediaTime(parsing: String(printed))
            #expect((parsed - exact).magnitude < (try #require(MediaTime(1, over: 100_000_000_000_000))), "\(printed)")
        }
        #expect(try MediaTime(parsing: "1.0333333333333334") >= (try #require(MediaTime(31, over: 30))))
    }

    @Test("Other forms")
    func others() throws {
        #expect(try Position("50%") == .fraction(50, of: 100))
        #expect(try Position("12.5%") == .fraction(125, of: 1000))
        #expect(try Position("33.333333333333%") == .fraction(33_333_333_333_333, of: 100_000_000_000_000))
        let whole: Int64 = 1_000_000_000_000_000_000
        #expect(try Position("99.99999999999999999%") == .fraction(whole, of: whole))
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
            "0." + String(repeating: "1", count: 401), "2026-11-20T18:00:00X", "2026-02-29T00:00:00Z", "2026-11-20",
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
