import Foundation
import Snap
import SnapBase
import SnapMedia
import TestSupport
import Testing

/// When and where: into the picture if asked for, and never else.
@Suite("Metadata of videos reach pictures on request only")
struct MetadataTests {
    /// - Parameter tags: As the ffmpeg command takes them.
    private func video(_ tags: [String: String], _ name: String = "a.mp4", _ options: [String] = []) throws -> [UInt8] {
        let folder = try TemporaryDirectory()
        let arguments =
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:r=4:d=3", "-c:v", "mpeg4"]
            + tags.sorted { $0.key < $1.key }.flatMap { ["-metadata", "\($0.key)=\($0.value)"] } + options
            + [folder.path(name)]
        let result = try ProcessRunner.run("ffmpeg", arguments)
        try #require(result.exitCode == 0, "\(result.messages)")
        return try folder.read(name)
    }

    private func take(_ bytes: [UInt8], at seconds: MediaTime = .zero, writes: Bool = true) throws -> Snapshot {
        let reader = try VideoReader(.bytes(bytes), options: VideoOptions(), interrupt: Interrupt())
        var options = SnapshotOptions()
        options.writesMetadata = writes
        return try reader.snapshot(at: try reader.moment(.time(seconds)), options: options)
    }

    private static let tags = ["creation_time": "2026-11-20T18:00:00Z", "location": "+52.5163+013.3777+034.000/"]

    @Test("The date is the file's, and the frame's time later; the place is the file's")
    func dateAndPlace() throws {
        // The frame on screen at 1.6 s came at 1.5 s.
        let snapshot = try take(video(Self.tags), at: MediaTime(8, over: 5)!)
        let jpeg = try #require(EXIFReading(jpeg: try snapshot.encoded()))
        #expect(try jpeg == EXIFReading(png: snapshot.encoded(as: .png)))
        #expect(jpeg.camera[0x9003] == .text("2026:11:20 18:00:01"))
        #expect(jpeg.camera[0x9291] == .text("500") && jpeg.camera[0x9011] == .text("+00:00"))
        // 52.5163° is 52° 30' 58.68", and 13.3777° is 13° 22' 39.72".
        #expect(jpeg.places[2] == .fractions([[52, 1], [30, 1], [586_800, 10_000]]))
        #expect(jpeg.places[4] == .fractions([[13, 1], [22, 1], [397_200, 10_000]]))
        #expect(jpeg.places[6] == .fractions([[34_000, 1000]]))
        let json = snapshot.receipt.json
        let place = #""location":{"latitude":"52.5163","longitude":"13.3777","altitude":"34"}"#
        #expect(json.contains(#""metadata":{"date":"2026-11-20T18:00:01.500Z","# + place + "}"), "\(json)")
    }

    @Test("QuickTime's own keys go before the file's creation time")
    func quickTime() throws {
        let apple = [
            "com.apple.quicktime.creationdate": "2025-01-02T03:04:05+0100",
            "com.apple.quicktime.location.ISO6709": "+37.3318-122.0312+007.000/",
        ]
        let bytes = try video(Self.tags.merging(apple) { $1 }, "a.mov", ["-movflags", "use_metadata_tags"])
        let metadata = try #require(try take(bytes).metadata)
        #expect(metadata.date == WallClock("2025-01-02T02:04:05Z"))
        #expect(metadata.location == GeographicLocation(latitude: 37.3318, longitude: -122.0312, altitude: 7))
    }

    @Test("Without the wish nothing is written, and the receipt has nothing")
    func notAsked() throws {
        let snapshot = try take(video(Self.tags), writes: false)
        #expect(snapshot.metadata == nil && snapshot.receipt.json.contains(#""metadata":null"#))
        #expect(try EXIFReading(jpeg: snapshot.encoded()) == nil)
        #expect(try EXIFReading(png: snapshot.encoded(as: .png)) == nil)
        for text in ["2026", "52.5", "Exif"] {
            #expect(!String(decoding: try snapshot.encoded(as: .png), as: UTF8.self).contains(text))
        }
    }

    @Test(
        "What is no date and no place is left out, which the receipt says",
        arguments: [
            [:], ["creation_time": "1970-01-01T00:00:00Z"], ["location": "Berlin"],
            ["location": "+" + String(repeating: "9", count: 100_000)], ["location": "+99+999/"],
        ] as [[String: String]])
    func unknown(_ tags: [String: String]) throws {
        let snapshot = try take(video(tags, "a.mkv"))
        #expect(snapshot.metadata == PictureMetadata())
        #expect(try EXIFReading(jpeg: snapshot.encoded()) == nil)
        #expect(snapshot.receipt.picture?.notes.contains { $0.contains("when or where") } == true)
    }

    @Test("A stream's dates are the wall clock of its frames", arguments: ["+01:00", ""])
    func stream(_ zone: String) throws {
        let entry = try #require(StreamCase.matrix.first { $0.description == "ts plain muxed plain" })
        let folder = try TemporaryDirectory()
        let list = try entry.make().write(to: folder.path)
        let text = try String(contentsOfFile: list, encoding: .utf8)
        let first = try #require(text.range(of: "#EXTINF"))
        let tag = "#EXT-X-PROGRAM-DATE-TIME:2026-11-20T19:00:00\(zone)\n#EXTINF"
        try Data(text.replacingCharacters(in: first, with: tag).utf8).write(to: URL(fileURLWithPath: list))
        let reader = try VideoReader(.file(list), options: .oneThread, interrupt: Interrupt())
        var options = SnapshotOptions()
        options.writesMetadata = true
        let snapshot = try reader.snapshot(at: try reader.moment(.seconds(3)), options: options)
        let reading = try #require(EXIFReading(jpeg: try snapshot.encoded()))
        #expect(reading.camera[0x9003] == .text(zone.isEmpty ? "2026:11:20 19:00:03" : "2026:11:20 18:00:03"))
        #expect(reading.camera[0x9011] == (zone.isEmpty ? nil : .text("+00:00")))
        #expect(reading.places.isEmpty)
    }
}
