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
            // ffprobe finds no time for a last frame that comes out of the decoder without a packet.
            let found = zip(stream.frames, facts.ticks).map { $0.ticks ?? $1 }
            #expect(found == facts.ticks)
            #expect(stream.frames.filter { $0.ticks == nil }.count <= 1)
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

    @Test(arguments: Clip.combed)
    func combedFramesShowTheirFirstFieldOnceDeinterlaced(_ clip: Clip) throws {
        let facts = clip.facts
        let stream = try #require(try FFmpegOracle.stream(of: try clip.path()))
        #expect(stream.frames.map(\.ticks) == facts.ticks.map(Optional.some))
        #expect(stream.frames.allSatisfy { $0.isInterlaced })
        let path = try clip.path()
        let deinterlaced = try FFmpegOracle.pictures(
            of: path, width: facts.width, height: facts.height, filter: "bwdif=mode=send_frame")
        #expect(deinterlaced.map { clip.number(in: $0) } == facts.numbers)
        let combed = try FFmpegOracle.pictures(of: path, width: facts.width, height: facts.height)
        #expect(combed.allSatisfy { clip.number(in: $0) == nil })
    }

    @Test func sizeChangesOnTheWay() throws {
        let clip = Clip.changingSize
        let stream = try #require(try FFmpegOracle.stream(of: try clip.path()))
        #expect(stream.frames.map(\.ticks) == clip.facts.ticks.map(Optional.some))
        #expect(stream.frames.map { [$0.width, $0.height] } == Clip.changingSizes.map { [$0.width, $0.height] })
        let pictures = try FFmpegOracle.pictures(
            of: try clip.path(), width: 160, height: 90, filter: "scale=160:90")
        #expect(pictures.map { FrameNumberPattern.number(in: $0) } == clip.facts.numbers)
    }

    @Test(arguments: Clip.truncated + Clip.truncatedOthers + Clip.bitFlipped)
    func damagedClipsAreMade(_ clip: Clip) throws {
        #expect(try clip.path().hasSuffix(clip.fileExtension))
    }

    @Test(arguments: Clip.unplayable)
    func unplayableClipsShowNothing(_ clip: Clip) throws {
        let stream = try FFmpegOracle.stream(of: try clip.path())
        let pictures = try FFmpegOracle.pictures(of: try clip.path(), width: 192, height: 108)
        #expect(stream?.frames.isEmpty ?? true || pictures.allSatisfy { clip.number(in: $0) == nil })
    }

    @Test func externalReferencesLeadOutOfTheFile() throws {
        let folder = try TemporaryDirectory()
        let target = try folder.write(try Clip.mov.bytes(), to: "target.mov")
        let url = try Clip.externalURL(target).bytes()
        #expect(String(decoding: url, as: UTF8.self).contains(target))
        // libavformat follows the alias when it is allowed to: the frames come from the other file then.
        let alias = try Clip.externalAlias(target).path()
        let result = try ProcessRunner.run(
            "ffmpeg", ["-v", "debug", "-enable_drefs", "1", "-use_absolute_path", "1", "-i", alias, "-f", "null", "-"])
        #expect(result.messages.contains("Opening '\(target)' for reading"))
    }
}
