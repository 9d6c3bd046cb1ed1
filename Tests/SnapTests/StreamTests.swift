import Foundation
import Snap
import SnapBase
import TestSupport
import Testing

/// The promise for HLS: the frame on screen at a time of the playlist, or a sentence.
@Suite("Streams")
struct StreamTests {
    @Test("The frame at a time, whatever segments are like", arguments: StreamCase.matrix)
    func frames(_ entry: StreamCase.Entry) async throws {
        let stream = try entry.make()
        let folder = try TemporaryDirectory()
        let reader = try VideoReader(
            .file(try stream.write(to: folder.path)), options: VideoOptions(), interrupt: Interrupt())
        try check(stream, reader, stream.questions)
    }

    @Test(
        "Other codecs, names, keys and headers: the same frames, with the pixels of the file they were cut from",
        arguments: StreamCase.further)
    func further(_ entry: StreamCase.Further) throws {
        let stream = try entry.make()
        let folder = try TemporaryDirectory()
        let reader = try VideoReader(
            .file(try stream.write(to: folder.path)), options: .oneThread, interrupt: Interrupt())
        try check(stream, reader, entry.questions(of: stream))
        guard let clip = entry.clip else { return }
        let file = try VideoReader(.file(try clip.path()), options: .oneThread, interrupt: Interrupt())
        for number in [0, 49, 50, 74, 199] {
            let moment = Position.time(MediaTime(Int64(number), over: 25)!)
            let one = try reader.snapshot(at: try reader.moment(moment), options: SnapshotOptions())
            let other = try file.snapshot(at: try file.moment(moment), options: SnapshotOptions())
            #expect(one.picture == other.picture, "frame \(number)")
        }
    }

    @Test("A picture has the size that the stream has there, whether its playlist announces a change or not")
    func sizes() throws {
        let announced = try StreamCase.matrix.filter { $0.oddity == .reset && $0.description.contains("plain muxed") }
            .map { try $0.make() }
        let silent = try StreamCase.further.filter { $0.description == "ts new-size" }.map { try $0.make() }
        for stream in announced + silent {
            let folder = try TemporaryDirectory()
            let reader = try VideoReader(
                .file(try stream.write(to: folder.path)), options: .oneThread, interrupt: Interrupt())
            for (time, size) in [(Int64(9), [256, 144]), (1, [192, 108]), (8, [256, 144]), (7, [192, 108])] {
                let taken = try reader.snapshot(at: try reader.moment(.seconds(time)), options: SnapshotOptions())
                #expect([taken.picture.width, taken.picture.height] == size, "\(stream) at \(time) s")
            }
        }
    }

    @Test("The same in any order and alone", arguments: StreamCase.matrix.filter { $0.description.contains("demuxed") })
    func shuffled(_ entry: StreamCase.Entry) async throws {
        let stream = try entry.make()
        let folder = try TemporaryDirectory()
        let path = try stream.write(to: folder.path)
        var random = SeededRandom(seed: 5)
        let questions = stream.questions.shuffled(using: &random)
        let reader = try VideoReader(.file(path), options: VideoOptions(), interrupt: Interrupt())
        try check(stream, reader, questions)
        for question in questions.prefix(4) {
            let alone = try VideoReader(.file(path), options: VideoOptions(), interrupt: Interrupt())
            try check(stream, alone, [question])
        }
    }

    @Test(
        "By the segments' own timestamps, declared durations don't matter",
        arguments: StreamCase.matrix.filter { [.longDurations, .shortDurations, .none].contains($0.oddity) })
    func mediaTimeline(_ entry: StreamCase.Entry) throws {
        let folder = try TemporaryDirectory()
        var options = VideoOptions()
        options.timeline = .media
        let reader = try VideoReader(
            .file(try entry.make().write(to: folder.path)), options: options, interrupt: Interrupt())
        for number in [0, 1, 49, 50, 51, 99, 100, 149, 150, 180, 197, 20] {
            let time = MediaTime(Int64(number), over: 25)!
            let taken = try reader.snapshot(at: try reader.moment(.time(time)), options: SnapshotOptions())
            #expect(FrameNumberPattern.number(in: taken.picture.rgb) == number)
            #expect(taken.receipt.actual?.time == time)
        }
    }

    @Test(
        "By the segments' own timestamps, a time within rounding of a discontinuity is not the end of the process",
        arguments: StreamCase.matrix.filter { $0.oddity == .reset && $0.description.contains("plain") })
    func mediaTimelineAtDiscontinuity(_ entry: StreamCase.Entry) throws {
        let folder = try TemporaryDirectory()
        var options = VideoOptions.oneThread
        options.timeline = .media
        let reader = try VideoReader(
            .file(try entry.make().write(to: folder.path)), options: options, interrupt: Interrupt())
        let tick = MediaTime(1, over: 90_000)!
        // The second clip begins at 8 s; a millisecond of slack takes times just before it there.
        for (time, number) in [
            (MediaTime(seconds: 8) - tick, 200), (MediaTime(seconds: 8), 200), (MediaTime(796, over: 100)!, 199),
            (MediaTime(seconds: 10) - tick, 249), (MediaTime(seconds: 10), 250), (MediaTime(seconds: 30), 299),
        ] {
            let taken = try reader.snapshot(at: try reader.moment(.time(time)), options: SnapshotOptions())
            #expect(FrameNumberPattern.number(in: taken.picture.rgb) == number, "at \(time)")
        }
    }

    @Test(
        "By the segments' own timestamps, drift that adds up over hundreds of segments costs a few requests",
        arguments: Drift.allCases)
    func drift(_ drift: Drift) throws {
        let server = try DriftingStream(drift.duration).server()
        for seconds in [0, 1, 250, 499, 500, 777, 970, 998, 999, 1005] as [Int64] {
            for offset in [MediaTime.zero, MediaTime(1, over: 4)!, MediaTime(24, over: 25)!] {
                let time = MediaTime(seconds: seconds) + offset
                var options = VideoOptions.oneThread
                options.timeline = .media
                let before = server.log.count
                let reader = try VideoReader(
                    .url(server.url("/list.m3u8")), options: options, interrupt: Interrupt())
                let taken = try reader.snapshot(at: try reader.moment(.time(time)), options: SnapshotOptions())
                let number = DriftingStream.number(at: time)
                #expect(FrameNumberPattern.number(in: taken.picture.rgb) == number, "at \(time)")
                #expect(taken.receipt.actual?.time == MediaTime(Int64(number), over: 2)!)
                #expect(taken.receipt.isClamped == (seconds >= 1000), "at \(time)")
                // The playlist, the first segment, at most 8 that are looked at, and the one behind the frame.
                #expect(server.log.count - before <= 11, "at \(time)")
            }
        }
    }

    enum Drift: String, CaseIterable {
        case none, long, short, changing, uneven, threeTimes, third

        /// What the playlist says of a second.
        func duration(_ index: Int) -> MediaTime {
            let milliseconds: Int64 =
                switch self {
                case .none: 1000
                case .long: 1020
                case .short: 980
                case .changing: index < 500 ? 1020 : 950
                case .uneven: [400, 1500, 900, 1300, 700][index % 5]
                case .threeTimes: 3000
                case .third: 333
                }
            return MediaTime(milliseconds, over: 1000)!
        }
    }

    @Test("Declared durations that say nothing at all are refused, after a few requests")
    func hopelessDrift() throws {
        // From a microsecond to hours, each a little longer than the one before.
        let server = try DriftingStream { MediaTime(Int64(pow(1.025, Double($0))), over: 1_000_000)! }.server()
        var options = VideoOptions.oneThread
        options.timeline = .media
        let error = failure(of: .url(server.url("/list.m3u8")), at: .seconds(300), opening: options)
        #expect(error?.code == .noFrame && error?.message.contains("--timeline media") == true)
        #expect(server.log.count <= 10)
    }

    @Test("Without a time, a telling frame, also where a segment is missing")
    func representative() throws {
        for name in ["ts plain muxed plain", "fmp4 plain demuxed gap", "ts plain muxed 404"] {
            let entry = try #require(StreamCase.matrix.first { $0.description == name })
            let folder = try TemporaryDirectory()
            let reader = try VideoReader(
                .file(try entry.make().write(to: folder.path)), options: VideoOptions(), interrupt: Interrupt())
            let taken = try reader.snapshot(at: try reader.moment(.representative), options: SnapshotOptions())
            #expect(taken.receipt.status == .ok && taken.receipt.choice != nil && taken.receipt.isKeyFrame == true)
        }
    }

    @Test("A frame by its number, across discontinuities")
    func numbers() throws {
        let entry = try #require(StreamCase.matrix.first { $0.description == "ts plain muxed timestamps-reset" })
        let folder = try TemporaryDirectory()
        let reader = try VideoReader(
            .file(try entry.make().write(to: folder.path)), options: VideoOptions(), interrupt: Interrupt())
        for number in [0, 60, 199, 200, 201, 299] {
            let taken = try reader.snapshot(at: try reader.moment(.frame(number)), options: SnapshotOptions())
            #expect(FrameNumberPattern.number(in: taken.picture.rgb) == number)
            #expect(taken.receipt.status == .ok && !taken.receipt.isClamped)
        }
        let late = try reader.snapshot(at: try reader.moment(.frame(1000)), options: SnapshotOptions())
        #expect(FrameNumberPattern.number(in: late.picture.rgb) == 299 && late.receipt.isClamped)
    }

    @Test("Numbers in a playlist or a request that nothing has are no reason to fail otherwise than in words")
    func hugeNumbers() throws {
        let entry = try #require(StreamCase.matrix.first { $0.description == "ts plain muxed plain" })
        let folder = try TemporaryDirectory()
        let list = try entry.make().write(to: folder.path)
        let text = try String(contentsOfFile: list, encoding: .utf8)
            .replacingOccurrences(of: "#EXTINF:", with: "#EXT-X-BITRATE:9223372036854775807\n#EXTINF:")
        try Data(text.utf8).write(to: URL(fileURLWithPath: list))
        let reader = try VideoReader(.file(list), options: VideoOptions(), interrupt: Interrupt())
        for time in [MediaTime(seconds: .max), MediaTime(seconds: -.max), MediaTime(seconds: 1)] {
            _ = try reader.snapshot(at: try reader.moment(.time(time)), options: SnapshotOptions())
        }
    }

    @Test("A variable that comes from elsewhere, and an encrypted map without IV, are named")
    func missingParts() throws {
        let folder = try TemporaryDirectory()
        func message(_ head: String, _ name: String) throws -> String? {
            let entry = try #require(StreamCase.matrix.first { $0.description == name })
            let stream = try entry.make()
            _ = try stream.write(to: folder.path)
            let text = String(decoding: try #require(stream.files["list.m3u8"]), as: UTF8.self)
                .replacingOccurrences(of: "#EXT-X-MEDIA-SEQUENCE:7", with: "#EXT-X-MEDIA-SEQUENCE:7\n" + head)
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/list.m3u8"))
            return failure(of: .file(folder.path + "/list.m3u8"), at: .start)?.message
        }
        let plain = "ts plain muxed plain"
        #expect(try message("#EXT-X-DEFINE:IMPORT=\"x\"", plain)?.contains("variable x") == true)
        #expect(try message("#EXT-X-DEFINE:QUERYPARAM=\"token\"", plain)?.contains("variable token") == true)
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"key1.bin\""
        #expect(try message(key, "fmp4 aes-128 muxed plain")?.contains("needs an IV") == true)
    }

    @Test("A date without a zone is taken for UTC, which is said; one with a zone needs no words")
    func dates() throws {
        let entry = try #require(StreamCase.matrix.first { $0.description == "ts plain muxed plain" })
        let folder = try TemporaryDirectory()
        let list = try entry.make().write(to: folder.path)
        let text = try String(contentsOfFile: list, encoding: .utf8)
        for (date, isSaid) in [("2026-11-20T18:00:00", true), ("2026-11-20T19:00:00+01:00", false)] {
            let tag = "#EXT-X-PROGRAM-DATE-TIME:\(date)\n#EXTINF"
            let first = try #require(text.range(of: "#EXTINF"))
            try Data(text.replacingCharacters(in: first, with: tag).utf8).write(to: URL(fileURLWithPath: list))
            let reader = try VideoReader(.file(list), options: .oneThread, interrupt: Interrupt())
            let wanted = try #require(WallClock("2026-11-20T18:00:03Z"))
            let taken = try reader.snapshot(at: try reader.moment(.date(wanted)), options: SnapshotOptions())
            #expect(FrameNumberPattern.number(in: taken.picture.rgb) == 75)
            #expect(taken.receipt.reading.notes.contains { $0.contains("time zone") } == isSaid)
            let other = try VideoReader(.file(list), options: .oneThread, interrupt: Interrupt())
            let plain = try other.snapshot(at: try other.moment(.seconds(3)), options: SnapshotOptions())
            #expect(plain.receipt.reading.notes.isEmpty)
        }
    }

    @Test("A local playlist stays in its folder")
    func folder() throws {
        let entry = try #require(StreamCase.matrix.first { $0.description == "ts plain muxed plain" })
        let stream = try entry.make()
        let outer = try TemporaryDirectory()
        try outer.write(try #require(stream.files["seg0.ts"]), to: "secret.ts")
        let inner = outer.path + "/inner"
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: inner + "/link.ts", withDestinationPath: "../secret.ts")
        for reference in ["../secret.ts", outer.path + "/secret.ts", "link.ts", "file:" + outer.path + "/secret.ts"] {
            let list = inner + "/list.m3u8"
            try Data("#EXTM3U\n#EXTINF:2,\n\(reference)\n#EXT-X-ENDLIST".utf8).write(to: URL(fileURLWithPath: list))
            #expect(failure(of: .file(list), at: .start)?.code == .refusedAddress, "\(reference)")
        }
    }

    private func check(_ stream: StreamCase, _ reader: VideoReader, _ times: [MediaTime]) throws {
        var wrong: [String] = []
        for time in times {
            let expected = stream.answer(at: time)
            let got: StreamCase.Answer
            var detail = ""
            do throws(SnapError) {
                let snapshot = try reader.snapshot(at: try reader.moment(.time(time)), options: SnapshotOptions())
                got = FrameNumberPattern.number(in: snapshot.picture.rgb).map { .frame($0) } ?? .frame(-1)
                detail = snapshot.receipt.code
                if snapshot.receipt.status != .ok { detail += " degraded" }
            } catch {
                (got, detail) = (.failure, error.message)
            }
            if got != expected || detail.hasSuffix("degraded") {
                wrong.append("at \(time) expected \(expected), got \(got) (\(detail))")
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count) of \(times.count): \(wrong.prefix(6).joined(separator: "; "))")
    }
}
