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

    @Test("Every frame of a reader that has just been opened", arguments: Clip.inAVI)
    func everySoughtFrame(_ clip: Clip) throws {
        for (index, number) in clip.facts.numbers.enumerated() { try check(clip, clip.open(), index, number) }
    }

    @Test("A frame that says that the one before stays takes its time and shows that one", arguments: [true, false])
    func repeatedFrames(isSought: Bool) throws {
        let clip = Clip.mpeg4Repeating
        let reader = try clip.open()
        for index in 0..<60 {
            try check(clip, isSought ? clip.open() : reader, index, index % 12 == 11 ? index - 1 : index)
        }
    }

    @Test("A key frame comes at the time at which it is shown, not that at which it is decoded", arguments: Clip.inAVI)
    func keyFrames(_ clip: Clip) throws {
        var options = SnapshotOptions()
        options.tolerance = .any
        let exact = try clip.open()
        for index in [0, 5, 9, 10, 11, 12, 13, 22, 23, 24, 35, 36, 37, 59] {
            let time = try #require(MediaTime(4 * Int64(index), over: 100))
            let reader = try clip.open()
            let snapshot = try reader.snapshot(at: try reader.moment(.time(time)), options: options)
            let number = try #require(clip.number(in: snapshot.picture.rgb))
            #expect(snapshot.receipt.isKeyFrame == true && index - 12 < number && number <= index, "\(clip) at \(time)")
            let found = try #require(snapshot.receipt.actual?.time)
            try check(clip, exact, number, number)
            #expect(found == MediaTime(4 * Int64(number), over: 100), "\(clip) at \(time)")
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
