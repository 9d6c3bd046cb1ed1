import CFFmpeg
import SnapBase
import TestSupport
import Testing

@testable import SnapMedia

/// What a frame can't depend on is not decoded; what comes out is what comes out when everything is.
@Suite("Decoding only what a frame needs")
struct SparingTests {
    @Test("Every frame alone, in any order, bit for bit", arguments: Clip.exact.filter { !$0.facts.ticks.isEmpty })
    func alone(_ clip: Clip) throws {
        let everything = try clip.seeker(isSparing: false)
        let sparing = try clip.seeker(isSparing: true)
        let expected = try clip.targets(everything).map { try everything.frame(shownAt: $0).samples() }
        var random = SeededRandom(seed: 3)
        for (index, target) in try clip.targets(sparing).enumerated().shuffled(using: &random) {
            #expect(try sparing.frame(shownAt: target).samples() == expected[index], "frame \(index)")
        }
    }

    @Test("Frames at any distance, one after the other, bit for bit", arguments: [1, 2, 3, 5, 7, 11, 19])
    func ascending(_ step: Int) throws {
        for clip in [Clip.h264, .h264OpenGOP, .h264LongGOP, .hevcOpenGOP, .hevcLayers, .av1, .mpeg2InTS, .mkv] {
            let everything = try clip.seeker(isSparing: false)
            let sparing = try clip.seeker(isSparing: true)
            let targets = try clip.targets(sparing).enumerated().filter { $0.offset % step == step / 2 }.map(\.element)
            for (index, target) in targets.enumerated() {
                let next = index + 1 < targets.count ? targets[index + 1] : nil
                #expect(
                    try sparing.frame(shownAt: target, next: next).samples()
                        == everything.frame(shownAt: target, next: next).samples(), "\(clip) at \(target)")
            }
        }
    }

    @Test(
        "Frames that are counted behind one that was found by its time, bit for bit",
        arguments: [Clip.h264, .h264OpenGOP, .hevcLayers, .av1, .mpeg2InTS, .mkv, .vp9])
    func counting(_ clip: Clip) throws {
        let sparing = try clip.seeker(isSparing: true)
        let targets = try clip.targets(sparing)
        for (time, number) in [(-1, 30), (0, 20), (3, 4), (5, 12), (11, 12), (12, 40), (50, 59), (7, 5)] {
            let fresh = try clip.seeker(isSparing: true)
            _ = try fresh.frame(shownAt: time < 0 ? fresh.origin - 1 : targets[time])
            #expect(
                try fresh.frame(number: number).samples()
                    == clip.seeker(isSparing: false).frame(number: number).samples(), "\(number) behind \(time)")
        }
    }

    @Test(
        "The last frame of a group of pictures costs less than the group",
        arguments: [
            Clip.h264, .h264OpenGOP, .hevc, .hevcOpenGOP, .hevcLayers, .hevcInTS, .av1, .mpeg2InTS, .mkv,
        ])
    func cost(_ clip: Clip) throws {
        let everything = try clip.seeker(isSparing: false)
        let sparing = try clip.seeker(isSparing: true)
        let target = try clip.targets(sparing)[34]
        _ = try everything.frame(shownAt: target)
        _ = try sparing.frame(shownAt: target)
        #expect(sparing.statistics.packetsLeftOut > 0)
        #expect(sparing.statistics.packetsSent < everything.statistics.packetsSent)
    }
}

extension Clip {
    fileprivate func seeker(isSparing: Bool) throws -> FrameSeeker {
        var options = DecodingOptions()
        options.isSparing = isSparing
        return try FrameSeeker(MemoryByteSource(bytes()), options: options, interrupt: Interrupt())
    }

    /// A time within each frame's own, in ticks of the stream.
    fileprivate func targets(_ seeker: FrameSeeker) throws -> [Int64] {
        let half = MediaTime(ticks: 1, timeBase: facts.timeBase).scaled(by: 1, over: 2)
        return facts.ticks.indices.map {
            seeker.origin + seeker.timeBase.ticks(notAfter: facts.time(ofFrame: $0) + half)
        }
    }
}

extension FoundFrame {
    /// Its time and all its samples.
    consuming func samples() throws -> Samples {
        let frame = frame.pointer
        let size = try check(
            av_image_get_buffer_size(
                AVPixelFormat(frame.pointee.format), frame.pointee.width, frame.pointee.height, 1),
            "av_image_get_buffer_size")
        let planes: [UnsafePointer<UInt8>?] = [
            UnsafePointer(frame.pointee.data.0), UnsafePointer(frame.pointee.data.1),
            UnsafePointer(frame.pointee.data.2), UnsafePointer(frame.pointee.data.3),
        ]
        let strides = [
            frame.pointee.linesize.0, frame.pointee.linesize.1, frame.pointee.linesize.2, frame.pointee.linesize.3,
        ]
        var bytes = [UInt8](repeating: 0, count: Int(size))
        try check(
            av_image_copy_to_buffer(
                &bytes, size, planes, strides, AVPixelFormat(frame.pointee.format), frame.pointee.width,
                frame.pointee.height, 1), "av_image_copy_to_buffer")
        return Samples(presentation: self.frame.presentation, degradation: degradation, bytes: bytes)
    }
}

struct Samples: Equatable, CustomStringConvertible {
    let presentation: Int64
    let degradation: FoundFrame.Degradation?
    let bytes: [UInt8]

    var description: String { "frame at \(presentation), \(bytes.count) bytes\(degradation.map { ", \($0)" } ?? "")" }
}
