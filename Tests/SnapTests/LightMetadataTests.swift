import Snap
import SnapBase
import TestSupport
import Testing

/// Metadata of light in the stream itself, from the bytes to the picture.
@Suite struct LightMetadataTests {
    private func snapshot(of path: String, at position: Position = .start) throws -> Snapshot {
        let reader = try VideoReader(.file(path), options: VideoOptions(), interrupt: Interrupt())
        return try reader.snapshot(at: try reader.moment(position), options: SnapshotOptions())
    }

    /// Of each channel.
    private func means(_ picture: Picture) -> [Double] {
        (0..<3).map { channel in
            let values = stride(from: channel, to: picture.bytes.count, by: 3).map { Double(picture.bytes[$0]) }
            return values.reduce(0, +) / Double(values.count)
        }
    }

    @Test func theSceneGoesBeforeTheWholeVideo() throws {
        let whole = try #require(try snapshot(of: Clip.hdr10.path()).receipt.picture?.peak)
        #expect(whole.source == .contentLightLevel && whole.luminance == 1000)
        let scene = try #require(try snapshot(of: Clip.hdr10Plus.path()).receipt.picture?.peak)
        #expect(scene.source == .scene && abs(scene.luminance - 600) < 0.001)
    }

    @Test("What the stream leaves open and the container says counts as tagged", arguments: Clip.tagsInContainer)
    func tagsInContainer(_ clip: Clip) throws {
        let facts = try #require(try snapshot(of: clip.path()).receipt.picture)
        #expect(facts.matrix.name == "bt2020nc" && facts.matrix.isTagged)
        #expect(facts.primaries.name == "bt2020" && facts.primaries.isTagged)
        #expect(facts.transfer.name == "smpte2084" && facts.transfer.isTagged)
    }

    @Test func dolbyVision5ThatSaysWhatHDR10DoesGivesItsPicture() throws {
        let plain = try snapshot(of: Clip.hdr10.path())
        let dolby = try snapshot(of: Clip.dolbyVision5.path())
        let facts = try #require(dolby.receipt.picture)
        #expect(facts.dolbyVisionProfile == 5 && plain.receipt.picture?.dolbyVisionProfile == nil)
        #expect(facts.peak?.source == .contentLightLevel)
        #expect(facts.matrix.name == "ipt-c2" && facts.matrix.isTagged)
        let differences = zip(plain.picture.bytes, dolby.picture.bytes).map { abs(Int($0) - Int($1)) }
        #expect(differences.count == 192 * 108 * 3)
        // A level by rounding; where PQ is steep, in the dark, some more.
        #expect(differences.max() ?? 255 <= 8 && differences.reduce(0, +) < differences.count / 2)
    }

    /// Two codings of one film, in few bits: colours of single places differ, but not those of the whole.
    @Test(
        "A real video of profile 5 looks like the same one of profile 8",
        .enabled(if: SharedMedia.file("packager-sparks_dovi_5.mp4") != nil), arguments: [0, 20, 50, 80, 100])
    func profiles(percent: Int64) throws {
        let paths = try [5, 8].map { try #require(SharedMedia.file("packager-sparks_dovi_\($0).mp4")) }
        let pictures = try paths.map { try snapshot(of: $0, at: .percent(percent)).picture }
        let (first, second) = (means(pictures[0]), means(pictures[1]))
        for channel in 0..<3 { #expect(abs(first[channel] - second[channel]) < 3, "\(first), \(second)") }
        #expect((first.max() ?? 0) > 5)
    }
}
