import Snap
import SnapBase
import TestSupport
import Testing

/// The promise: the frame on screen at a time, whatever the codec, the container and the time stamps.
@Suite("The frame at t is the one on screen at t")
struct ExactFrameTests {
    @Test(
        "Every frame of a clip, at its own time, in its middle and one tick before it, forwards", arguments: Clip.timed)
    func forwards(_ clip: Clip) throws { try check(clip, clip.facts.questions) }

    @Test("The same in any order", arguments: Clip.timed)
    func shuffled(_ clip: Clip) throws {
        var random = SeededRandom(seed: 7)
        try check(clip, Array(clip.facts.questions.shuffled(using: &random).prefix(60)))
    }

    @Test("The same for a video opened for one picture", arguments: Clip.timed)
    func alone(_ clip: Clip) throws {
        var random = SeededRandom(seed: 11)
        for question in clip.facts.questions.shuffled(using: &random).prefix(4) { try check(clip, [question]) }
    }

    private func check(_ clip: Clip, _ questions: [(time: MediaTime, number: Int)]) throws {
        let reader = try clip.open()
        var wrong: [String] = []
        for (time, number) in questions {
            let snapshot = try reader.snapshot(at: try reader.moment(.time(time)), options: SnapshotOptions())
            let got = clip.number(in: snapshot.picture.rgb)
            if got != number || snapshot.receipt.status != .ok {
                wrong.append(
                    "at \(time) expected \(number), got \(got.map(String.init) ?? "an unreadable one") \(snapshot.receipt.code)"
                )
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count) of \(questions.count): \(wrong.prefix(5).joined(separator: "; "))")
    }
}

extension Clip {
    /// Those whose frames have known times.
    static let timed = exact.filter { !$0.facts.ticks.isEmpty } + smallInPS + untimedStart + editedFragments

    func open() throws -> VideoReader {
        try VideoReader(.file(try path()), options: VideoOptions(), interrupt: Interrupt())
    }
}

extension ClipFacts {
    /// Each frame at its own time, one tick before it, and in its middle.
    var questions: [(time: MediaTime, number: Int)] {
        let tick = MediaTime(ticks: 1, timeBase: timeBase)
        return ticks.indices.flatMap { index in
            let start = time(ofFrame: index)
            let next = index + 1 < ticks.count ? time(ofFrame: index + 1) : start + tick
            return [start - tick, start, start + (next - start).scaled(by: 1, over: 2)]
                .map { ($0, number(shownAt: $0)) }
        }
    }
}

extension Picture {
    var rgb: RGBPicture {
        RGBPicture(
            width: width, height: height,
            bytes: channels == .rgb ? bytes : stride(from: 0, to: bytes.count, by: 4).flatMap { bytes[$0..<$0 + 3] })
    }
}
