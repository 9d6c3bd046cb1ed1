import SnapBase
import TestSupport
import Testing

/// The catalogue says what is true: each recorded fact against what ffprobe and the ffmpeg command find.
@Suite struct ClipTests {
    @Test(arguments: Clip.exact)
    func factsAreWhatFFprobeLists(_ clip: Clip) throws {
        let stream = try #require(try FFmpegOracle.stream(of: try clip.path()))
        let facts = clip.facts
        #expect(stream.frames.count == facts.frameCount)
        #expect(stream.frames.allSatisfy { $0.width == facts.width && $0.height == facts.height })
        let ratio = stream.sampleAspectRatio ?? (1, 1)
        #expect(ratio == facts.sampleAspectRatio)
        if !facts.ticks.isEmpty {
            #expect(stream.timeBase == facts.timeBase)
            #expect(stream.frames.map(\.ticks) == facts.ticks)
        }
    }

    @Test(arguments: Clip.exact)
    func framesShowTheirNumbers(_ clip: Clip) throws {
        let facts = clip.facts
        let size = facts.turn.size(width: facts.width, height: facts.height)
        let pictures = try FFmpegOracle.pictures(
            of: try clip.path(), width: size.width, height: size.height, turned: true)
        #expect(pictures.map { clip.number(in: $0) } == facts.numbers)
    }
}
