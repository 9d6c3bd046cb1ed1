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
