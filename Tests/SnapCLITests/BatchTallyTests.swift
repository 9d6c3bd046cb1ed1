import Testing

@testable import SnapCLI

@Suite struct BatchTallyTests {
    @Test(arguments: [
        (0.0, "0.0", "0.0", "0.0"),
        (9.94, "9.9", "9.9", "9.9"),
        (9.96, "10.0", "10.0", "10"),
        (999.96, "1000.0", "1,000.0", "1,000"),
        (1_234_567.04, "1234567.0", "1,234,567.0", "1,234,567"),
    ])
    func programsGetNumbersWithoutCommas(_ value: Double, _ decimal: String, _ rounded: String, _ brief: String) {
        #expect(value.decimal(places: 1) == decimal)
        #expect(value.rounded(places: 1) == rounded)
        #expect(value.brief == brief)
    }
}
