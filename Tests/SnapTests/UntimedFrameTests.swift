import Snap
import SnapBase
import TestSupport
import Testing

/// Streams that hold no presentation times: raw ones, and H.264 with B-frames in AVI.
@Suite("Frames without times are counted, 25 a second, in the order of presentation")
struct UntimedFrameTests {
    static let clips = Clip.exact.filter { $0.facts.ticks.isEmpty && $0.facts.frameCount > 1 }

    @Test("Every frame at its own time and in its middle, forwards and backwards", arguments: clips)
    func everyFrame(_ clip: Clip) throws {
        let reader = try clip.open()
        for (index, number) in clip.facts.numbers.enumerated() { try check(clip, reader, index, number) }
        for (index, number) in clip.facts.numbers.enumerated().reversed().prefix(12) {
            try check(clip, reader, index, number)
        }
    }

    private func check(_ clip: Clip, _ reader: VideoReader, _ index: Int, _ number: Int) throws {
        for hundredths in [4 * Int64(index), 4 * Int64(index) + 2] {
            let time = try #require(MediaTime(hundredths, over: 100))
            let snapshot = try reader.snapshot(at: try reader.moment(.time(time)), options: SnapshotOptions())
            let got = clip.number(in: snapshot.picture.rgb)
            #expect(got == number, "\(clip) at \(time)")
        }
    }
}
