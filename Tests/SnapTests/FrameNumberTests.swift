import Snap
import SnapBase
import TestSupport
import Testing

/// `frame:120` is the 121st frame, counted; streams without times have nothing else to go by.
@Suite("A frame asked for by its number is the one with that number")
struct FrameNumberTests {
    /// Those that tell no times, and those whose times tell no numbers.
    private static let clips =
        Clip.exact.filter { $0.facts.ticks.isEmpty } + [
            .h264OpenGOP, .hevcOpenGOP, .vp9, .variableRateMKV, .editList, .transportOffset, .mpeg4InAVI, .oneFrame,
        ]

    @Test("Every frame of a clip, forwards", arguments: clips)
    func forwards(_ clip: Clip) throws { try check(clip, Array(clip.facts.numbers.indices)) }

    @Test("The same in any order", arguments: clips)
    func shuffled(_ clip: Clip) throws {
        var random = SeededRandom(seed: 13)
        try check(clip, Array(clip.facts.numbers.indices.shuffled(using: &random).prefix(12)))
    }

    private func check(_ clip: Clip, _ indices: [Int]) throws {
        let reader = try clip.open()
        for index in indices {
            let snapshot = try reader.snapshot(at: try reader.moment(.frame(index)), options: SnapshotOptions())
            #expect(clip.number(in: snapshot.picture.rgb) == clip.facts.numbers[index], "frame:\(index)")
        }
    }
}
