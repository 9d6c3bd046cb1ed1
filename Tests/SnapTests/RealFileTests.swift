import Snap
import SnapBase
import TestSupport
import Testing

/// Files that nobody here made, where they are beside the package: the frames are those of the ffmpeg command.
@Suite("Real files give the frames that ffmpeg decodes")
struct RealFileTests {
    /// HDR is not what the ffmpeg command makes of it; two are damaged, one changes its size, and one has two video tracks, of which
    /// the oracle lists the first and a player shows the larger.
    static let plain = SharedMedia.files.filter { path in
        !["hlg10", "hdr10", "dovi", "edit_list", "corrupted", "invalid_nalu", "resize", "nasa_13013.mp4"].contains {
            path.contains($0)
        }
    }

    @Test("Twelve frames, each at its own time and a tick before the next", arguments: plain)
    func frames(_ path: String) throws {
        let stream = try #require(try FFmpegOracle.stream(of: path))
        let frames = stream.frames.filter { $0.ticks != nil }
        let start = try #require(frames.first?.ticks)
        let reader = try VideoReader(.file(path), options: VideoOptions(), interrupt: Interrupt())
        var options = SnapshotOptions()
        options.keepsSampleAspectRatio = true
        var random = SeededRandom(seed: 3)
        for (count, index) in frames.indices.shuffled(using: &random).prefix(12).enumerated() {
            let ticks = try #require(frames[index].ticks)
            let next = index + 1 < frames.count ? try #require(frames[index + 1].ticks) : ticks + 1
            for tick in [ticks, next - 1] {
                let time = MediaTime(ticks: tick - start, timeBase: stream.timeBase)
                let snapshot = try reader.snapshot(at: try reader.moment(.time(time)), options: options)
                #expect(snapshot.receipt.actual?.pts == ticks, "at \(time)")
                #expect(snapshot.receipt.status == .ok)
                guard tick == ticks, count < 2 else { continue }  // ffmpeg decodes all of the file for each

                let picture = snapshot.picture
                let primaries = try #require(snapshot.receipt.picture?.primaries)
                // ffmpeg's own conversion leaves the primaries as they are; zimg's goes by light.
                let isOwn = primaries.isTagged && primaries.name != "bt709"
                let light = isOwn ? "zscale=p=bt709:t=iec61966-2-1:m=gbr:r=full,format=gbrp," : ""
                let scale = "scale=flags=accurate_rnd+full_chroma_int+bicubic:out_range=pc"
                let expected = try FFmpegOracle.pictures(
                    of: path, width: picture.width, height: picture.height, turned: true,
                    filter: "select=eq(n\\,\(index)),\(light)\(scale)")
                let ratio = try #require(expected.first?.peakSignalToNoise(against: picture.rgb))
                #expect(ratio > 25, "frame \(index): \(ratio) dB")
            }
        }
    }

    @Test(
        "HDR becomes SDR that is neither grey nor green",
        arguments: SharedMedia.files.filter { $0.contains("hlg10") || $0.contains("hdr10") || $0.contains("dovi") })
    func highDynamicRange(_ path: String) throws {
        let reader = try VideoReader(.file(path), options: VideoOptions(), interrupt: Interrupt())
        let snapshot = try reader.snapshot(at: try reader.moment(.start), options: SnapshotOptions())
        #expect(snapshot.receipt.picture?.highDynamicRange == .toneMapped)
        #expect(snapshot.receipt.picture?.peak != nil)
        var options = SnapshotOptions()
        options.highDynamicRange = .kept
        let kept = try reader.snapshot(at: try reader.moment(.start), options: options)
        #expect(kept.picture.bitsPerChannel == 16 && kept.picture.colour.primaries == 9)
        #expect(try kept.encoded(as: .png).count > 1000)
        do throws(SnapError) {
            _ = try kept.encoded(as: .jpeg)
            Issue.record("a JPEG of 16 bits")
        } catch {
            #expect(error.code == .usage)
        }
    }
}
