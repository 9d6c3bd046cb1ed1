import SnapBase
import Testing

/// ISO 6709 as cameras write it, and as they should not.
@Suite struct GeographicLocationTests {
    @Test(
        arguments: [
            ("+37.3318-122.0312+007.000/", 37.3318, -122.0312, 7),
            ("+52.5163+013.3777+34.000000/", 52.5163, 13.3777, 34),
            ("-33.8568+151.2153/", -33.8568, 151.2153, nil),
            ("+00-025/", 0, -25, nil), ("+90.0+180.0-430.5/", 90, 180, -430.5),
            // Annex H: degrees and minutes, and seconds.
            ("+4012-07500/", 40.2, -75, nil), ("+401213.1-0750015.1/", 40.203_638_888_9, -75.004_194_444_4, nil),
            ("+40.20361-075.00417+123.4CRSWGS_84/", 40.20361, -75.00417, 123.4),
            // 3GPP's box, as libavformat tells it: with padding and the place's name.
            ("+37.3318-122.0312 +7.0000/Cupertino+1", 37.3318, -122.0312, 7),
            ("+37.3318-122.0312", 37.3318, -122.0312, nil),
        ] as [(String, Double, Double, Double?)])
    func places(text: String, latitude: Double, longitude: Double, altitude: Double?) throws {
        let location = try #require(GeographicLocation(iso6709: text))
        #expect(abs(location.latitude - latitude) < 1e-9 && abs(location.longitude - longitude) < 1e-9)
        #expect(location.altitude == altitude)
    }

    @Test(arguments: [
        "", "/", "+", "+-", "Berlin", "37.3318-122.0312/", "+37.3318/", "+91+000/", "+00+181/", "+4060-07500/",
        "+401260-0750000/", "+1+2/", "+377-1220/", "+37.3.3-122/", "+nan+nan/", "+inf+inf/", "+1e1+1e1/", "+0x1+0x01/",
        "+99999999999999999999+000/", "+37.0000000000000000000-122/", "++37-122/", "+37,3-122,0/", "\u{0}+37-122/",
        "+37-122+9999999/",
    ])
    func whatIsNoPlaceIsNone(text: String) { #expect(GeographicLocation(iso6709: text) == nil) }

    @Test func limitsHoldForNumbersToo() {
        #expect(GeographicLocation(latitude: .nan, longitude: 0) == nil)
        #expect(GeographicLocation(latitude: 0, longitude: .infinity) == nil)
        #expect(GeographicLocation(latitude: 0, longitude: 0, altitude: .nan) == nil)
        #expect(GeographicLocation(latitude: -90, longitude: -180, altitude: -999_999) != nil)
    }
}
