import Snap
import SnapBase
import TestSupport
import Testing

/// From a whole file to a picture: upright, square pixels, nothing that is not meant to be seen.
@Suite("The picture is as a player shows it")
struct PictureTests {
    @Test("All eight display matrices give an upright picture", arguments: Clip.orientations)
    func orientations(_ clip: Clip) throws {
        let snapshot = try take(clip, SnapshotOptions())
        let reading = FrameNumberPattern.read(snapshot.picture.rgb)
        #expect(reading?.number == clip.facts.numbers[0] && reading?.turn == Turn.none)
        #expect(snapshot.picture.width == 192 && snapshot.picture.height == 108)
        var asCoded = SnapshotOptions()
        asCoded.rotates = false
        let coded = try take(clip, asCoded).picture
        #expect(coded.width == clip.facts.width && coded.height == clip.facts.height)
        #expect(FrameNumberPattern.read(coded.rgb)?.turn == clip.facts.turn.inverse)
    }

    @Test("Pixels become square by the width; rotation comes before the box", arguments: Clip.sampleAspectRatios)
    func sampleAspectRatios(_ clip: Clip) throws {
        let (width, ratio) = (clip.facts.width, clip.facts.sampleAspectRatio)
        let picture = try take(clip, SnapshotOptions()).picture
        #expect(abs(picture.width - width * ratio.width / ratio.height) <= 1)
        #expect(picture.height == clip.facts.height)
        var kept = SnapshotOptions()
        kept.keepsSampleAspectRatio = true
        #expect(try take(clip, kept).picture.width == width)
    }

    @Test("Numbers in floating point are light", arguments: Clip.floatingPoint)
    func floatingPoint(_ clip: Clip) throws {
        let (red, green, blue) = try take(clip, SnapshotOptions()).picture.rgb[32, 32]
        // IEC 61966-2-1: 1.055 · (128/255)^(1/2.4) − 0.055
        for sample in [red, green, blue] { #expect(abs(Int(sample) - 188) <= 1) }
    }

    @Test(
        "What the stream or the container crops is not seen",
        arguments: [
            (Clip.cropped, 192), (.cleanAperture, 192), (.pixelCrop, 192), (.pixelCropOfWidePixels, 384),
        ])
    func cropping(_ clip: Clip, _ width: Int) throws {
        let picture = try take(clip, SnapshotOptions()).picture
        try #require(picture.width == width && picture.height == 108)
        #expect(clip.number(in: picture.rgb) == 0)
        for (x, y) in [(0, 0), (width - 1, 0), (0, 107), (width - 1, 107)] {
            let (red, green, blue) = picture.rgb[x, y]
            #expect(abs(Int(red) - Int(green)) < 60 && abs(Int(red) - Int(blue)) < 60, "red border at \(x), \(y)")
        }
    }

    @Test("Frames of a stream that changes its size come out in their own")
    func changingSize() throws {
        let reader = try Clip.changingSize.open()
        let first = try reader.snapshot(at: try reader.moment(.start), options: SnapshotOptions()).picture
        let last = try reader.snapshot(at: try reader.moment(.end), options: SnapshotOptions()).picture
        #expect(first.width != last.width)
        var box = SnapshotOptions()
        box.size = .box(width: 96, height: 54)
        let small = try reader.snapshot(at: try reader.moment(.end), options: box).picture
        #expect(small.width == 96)
    }

    @Test("Frames of a stream that changes the shape of its pixels come out in their own")
    func changingAspect() throws {
        let reader = try Clip.changingAspect.open()
        for (index, expected) in [(0, 192), (29, 192), (30, 256), (59, 256), (3, 192)] {
            let snapshot = try reader.snapshot(at: try reader.moment(.frame(index)), options: SnapshotOptions())
            #expect(snapshot.picture.width == expected && snapshot.picture.height == 108)
            #expect(snapshot.receipt.picture?.sampleAspectRatio == (index < 30 ? "1:1" : "4:3"))
            #expect(FrameNumberPattern.number(in: snapshot.picture.rgb) == index)
        }
    }

    @Test(
        "A display matrix that is no quarter turn is taken for the nearest, and the receipt says so",
        arguments: Clip.oddlyTurned)
    func oddMatrices(_ clip: Clip) throws {
        let snapshot = try take(clip, SnapshotOptions())
        #expect(FrameNumberPattern.read(snapshot.picture.rgb)?.turn == Turn.none)
        #expect(snapshot.receipt.picture?.notes.count == 1)
        #expect(snapshot.receipt.picture?.notes.first?.contains("no quarter turn") == true)
    }

    @Test("A display matrix that turns and stretches does both")
    func turnedAndStretched() throws {
        let picture = try take(Clip.turnedAndStretched, SnapshotOptions()).picture
        #expect((picture.width, picture.height) == (192, 216))
    }

    @Test("A turn that the stream says at key frames holds for those that follow")
    func turnedByMessage() throws {
        let reader = try Clip.turnedByMessage.open()
        // The message is at the first key frame only, and the next one is frame 12.
        for number in [0, 1, 11, 12, 17, 40, 3] {
            let snapshot = try reader.snapshot(at: try reader.moment(.frame(number)), options: SnapshotOptions())
            let (width, height) = (snapshot.picture.width, snapshot.picture.height)
            #expect((width, height) == (number < 12 ? (108, 192) : (192, 108)), "frame \(number)")
            let seen = FrameNumberPattern.read(snapshot.picture.rgb)
            #expect(seen?.number == number && (seen?.turn == Turn.none) == (number >= 12))
        }
    }

    @Test("Views for two eyes and spheres stay as coded, and the receipt names them", arguments: Clip.views)
    func views(_ clip: Clip, _ name: String) throws {
        let snapshot = try take(clip, SnapshotOptions())
        #expect(clip.number(in: snapshot.picture.rgb) == 0)
        #expect(snapshot.picture.width == 192 && snapshot.picture.height == 108)
        #expect(snapshot.receipt.picture?.notes.contains { $0.contains(name) } == true)
    }

    @Test("A device is written into, not replaced")
    func device() throws {
        try OutputFile.write([1, 2, 3], to: "/dev/null")
        let folder = try TemporaryDirectory()
        let path = folder.path("plain.bin")
        try OutputFile.write([1, 2, 3], to: path)
        #expect(try folder.read("plain.bin") == [1, 2, 3])
        #expect(try FFmpegOracle.stream(of: "/dev/null") == nil)
    }

    @Test("The same pixels come back from a PNG; a JPEG is close and has the size asked for")
    func encodes() throws {
        var options = SnapshotOptions()
        options.size = .width(96)
        let snapshot = try take(.h264, options)
        let folder = try TemporaryDirectory()
        for (format, least) in [(ImageFormat.png, Double.infinity), (.jpeg, 30)] {
            let path = try folder.write(try snapshot.encoded(as: format), to: "picture.\(format.fileExtension)")
            let decoded = try #require(try FFmpegOracle.pictures(of: path, width: 96, height: 54).first)
            #expect(try #require(decoded.peakSignalToNoise(against: snapshot.picture.rgb)) >= least)
        }
    }

    private func take(_ clip: Clip, _ options: SnapshotOptions) throws -> Snapshot {
        let reader = try clip.open()
        return try reader.snapshot(at: try reader.moment(.start), options: options)
    }
}
