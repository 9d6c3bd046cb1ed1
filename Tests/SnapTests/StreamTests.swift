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
