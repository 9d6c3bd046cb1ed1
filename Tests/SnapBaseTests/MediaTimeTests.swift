import SnapBase
import Testing

@Suite("MediaTime is exact")
struct MediaTimeTests {
    @Test("Fractions are kept in lowest terms")
    func reduces() throws {
        let time = try #require(MediaTime(6006, over: 180_180))
        #expect(time.numerator == 1)
        #expect(time.denominator == 30)
    }

    @Test("A thousand times 1/30 s is 100/3 s, without drift")
    func addsExactly() throws {
        let frame = try #require(MediaTime(1, over: 30))
        let sum = (0..<1000).reduce(MediaTime.zero) { sum, _ in sum + frame }
        #expect(sum == MediaTime(100, over: 3))
    }

    @Test(
        "Decimal seconds are rounded to six places",
        arguments: [
            (0, 1, "0"), (1, 1, "1"), (3, 2, "1.5"), (31, 30, "1.033333"), (-1, 3, "-0.333333"), (2, 3, "0.666667"),
            (-1, 10_000_000, "0"),
        ])
    func decimal(_ numerator: Int64, _ denominator: Int64, _ text: String) throws {
        #expect(try #require(MediaTime(numerator, over: denominator)).decimalSeconds == text)
    }

    @Test(
        "File names cut milliseconds off",
        arguments: [(1, 1, "00-00-01.000"), (11_999, 3000, "00-00-03.999"), (86_400, 1, "24-00-00.000")])
    func fileName(_ numerator: Int64, _ denominator: Int64, _ text: String) throws {
        #expect(try #require(MediaTime(numerator, over: denominator)).fileNameText == text)
    }

    @Test("A time between two ticks belongs to the earlier one, before zero too")
    func ticks() throws {
        let base = try #require(TimeBase(1001, over: 30000))
        #expect(base.ticks(notAfter: MediaTime(ticks: 7, timeBase: base)) == 7)
        #expect(base.ticks(notAfter: MediaTime(ticks: 7, timeBase: base) - .init(.nanoseconds(1))) == 6)
        #expect(base.ticks(notAfter: MediaTime(ticks: -7, timeBase: base) - .init(.nanoseconds(1))) == -8)
        #expect(base.ticks(notAfter: MediaTime(seconds: .max)) == .max)
    }

    @Test("Sums too large for 64 bits lose precision, not the process")
    func survivesOverflow() throws {
        let a = try #require(MediaTime(.max - 1, over: .max))
        let b = try #require(MediaTime(.max - 3, over: .max - 2))
        #expect(abs((a + b).approximateSeconds - 2) < 1e-9)
        #expect((MediaTime(seconds: .max) + MediaTime(seconds: .max)).numerator == .max)
        #expect((MediaTime(seconds: .min) - MediaTime(seconds: .max)).numerator == -.max)
    }
}
