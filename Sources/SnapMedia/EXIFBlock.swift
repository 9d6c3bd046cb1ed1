import SnapBase

/// When and where a picture was taken, as cameras write it into their files (CIPA DC-008, "Exif 2.32").
struct EXIFBlock {
    /// A TIFF file without a picture.
    let bytes: [UInt8]

    /// - Returns: `nil` where nothing is known.
    init?(_ metadata: PictureMetadata) {
        let (exif, places) = (Self.exif(metadata.date), Self.places(metadata.location))
        if exif.isEmpty, places.isEmpty { return nil }
        let header = Array("MM".utf8) + BigEndian.half(42) + BigEndian.word(8)
        // The first directory has no more than the places of the others, so that its length is known before them.
        let length = 2 + 12 * [exif, places].count { !$0.isEmpty } + 4
        var body: [UInt8] = []
        var first = TIFFDirectory()
        for (tag, directory) in [(UInt16(0x8769), exif), (0x8825, places)] where !directory.isEmpty {
            let place = header.count + length + body.count
            first.add(tag, place: place)
            body += directory.bytes(at: place)
        }
        bytes = header + first.bytes(at: header.count) + body
    }

    /// Dates in EXIF have a year of four digits.
    private static func exif(_ date: WallClock?) -> TIFFDirectory {
        var directory = TIFFDirectory()
        guard let digits = date?.digits, 1...9999 ~= Int(digits.date[0]) ?? 0 else { return directory }
        directory.add(0x9000, undefined: Array("0232".utf8))  // ExifVersion
        // DateTimeOriginal
        directory.add(0x9003, text: digits.date.joined(separator: ":") + " " + digits.time.joined(separator: ":"))
        if date?.hasZone == true { directory.add(0x9011, text: "+00:00") }  // OffsetTimeOriginal
        directory.add(0x9291, text: digits.milliseconds)  // SubSecTimeOriginal
        return directory
    }

    private static func places(_ location: GeographicLocation?) -> TIFFDirectory {
        var directory = TIFFDirectory()
        guard let location else { return directory }
        directory.add(0, bytes: [2, 3, 0, 0])  // GPSVersionID
        directory.add(1, text: location.latitude < 0 ? "S" : "N")
        directory.add(2, rationals: angle(location.latitude))
        directory.add(3, text: location.longitude < 0 ? "W" : "E")
        directory.add(4, rationals: angle(location.longitude))
        if let altitude = location.altitude {
            directory.add(5, bytes: [altitude < 0 ? 1 : 0])
            directory.add(6, rationals: [(UInt32((abs(altitude) * 1000).rounded()), 1000)])
        }
        return directory
    }

    /// Degrees, minutes, and seconds to a ten thousandth, which is 3 mm.
    private static func angle(_ degrees: Double) -> [(UInt32, UInt32)] {
        let all = UInt64((abs(degrees) * 36_000_000).rounded())
        return [
            (UInt32(all / 36_000_000), 1), (UInt32(all / 600_000 % 60), 1), (UInt32(all % 600_000), 10_000),
        ]
    }
}
