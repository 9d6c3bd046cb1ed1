import SnapBase
import Testing

@Suite struct WallClockTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.000Z"),
            (1_795_197_600, "2026-11-20T18:00:00.000Z"),
            (-86_400, "1969-12-31T00:00:00.000Z"),
        ] as [(Int64, String)])
    func datesAreToldInUTC(seconds: Int64, text: String) {
        #expect(WallClock(sinceEpoch: MediaTime(seconds: seconds)).description == text)
    }

    @Test(arguments: [Int64.min, -Int64.max / 2, Int64.max / 2, .max])
    func datesBeyondEveryCalendarDoNotEndTheProcess(seconds: Int64) {
        #expect(WallClock(sinceEpoch: MediaTime(seconds: seconds)).description.hasSuffix("Z"))
    }
}
