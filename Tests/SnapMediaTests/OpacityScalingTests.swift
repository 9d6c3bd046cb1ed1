import CFFmpeg
import SnapBase
import Testing

@testable import SnapMedia

/// Scaling where there is alpha: what is transparent has no say in the colour.
@Suite struct OpacityScalingTests {
    private static let formats = [
        AV_PIX_FMT_RGBA, AV_PIX_FMT_YUVA444P, AV_PIX_FMT_GBRAP, AV_PIX_FMT_YUVA444P12LE, AV_PIX_FMT_RGBA64LE,
        AV_PIX_FMT_YA8,
    ]
    private static let sizes = [(17, 8), (20, 16), (64, 5), (151, 40), (200, 16), (1, 1)]

    /// The left half has one value and is opaque, the right half another and is not there.
    private func halves(_ code: AVPixelFormat, left: Int, right: Int) throws -> VideoFrame {
        let format = try #require(PixelFormat(code))
        let unit = 1 << (format.depth - 8)
        return try TestFrame.make(code, width: 64, height: 16, tags: .init(range: AVCOL_RANGE_JPEG)) {
            component, x, _ in
            let isAlpha = component == (format.model == .grey ? 1 : 3)
            if isAlpha { return x < 32 ? (1 << format.depth) - 1 : 0 }
            let isChroma = format.model == .ycbcr && component > 0
            return (x < 32 ? (isChroma ? 128 : left) : isChroma ? 30 : right) * unit
        }
    }

    private func scaled(_ frame: borrowing VideoFrame, to size: (Int, Int)) throws -> Picture {
        var options = PictureOptions()
        options.size = .box(width: size.0, height: size.1)
        (options.fit, options.upscales, options.wantsAlpha) = (.stretch, true, true)
        return try picture(frame, options: options).picture
    }

    @Test(arguments: formats, sizes)
    func coloursOfTransparentPixelsDoNotBleed(code: AVPixelFormat, size: (Int, Int)) throws {
        for (left, right) in [(200, 20), (40, 255), (255, 0), (0, 255)] {
            let result = try scaled(halves(code, left: left, right: right), to: size)
            var seen = 0
            for x in 0..<result.width {
                let pixel = result.pixel(x, result.height / 2)
                // Sixteen bits of a hundredth of opacity still hold the colour to a level or two.
                if pixel[3] >= 3 {
                    seen += 1
                    let error = pixel[..<3].map { abs($0 - left) }.max() ?? 0
                    #expect(error <= 2, "\(left) beside \(right) at \(x): \(pixel)")
                }
                if pixel[3] == 0 { #expect(pixel == [0, 0, 0, 0] || pixel[..<3].allSatisfy { abs($0 - left) <= 2 }) }
            }
            #expect(seen >= result.width / 2)
        }
    }

    @Test(arguments: [(AV_PIX_FMT_YUVA420P, AV_PIX_FMT_YUV420P), (AV_PIX_FMT_YUVA444P, AV_PIX_FMT_YUV444P)], sizes)
    func opaquePicturesScaleAsThoseWithoutAlpha(codes: (AVPixelFormat, AVPixelFormat), size: (Int, Int)) throws {
        let sample = { (component: Int, x: Int, y: Int) in
            // Chroma of half the size is enlarged first, which is another filter than one step: smooth, it is the same.
            component == 3 ? 255 : component == 0 ? 16 + (x * 37 + y * 11) % 200 : 100 + x + 2 * y + 10 * component
        }
        let clear = try scaled(TestFrame.make(codes.0, width: 64, height: 16, sample: sample), to: size)
        let plain = try scaled(TestFrame.make(codes.1, width: 64, height: 16, sample: sample), to: size)
        for y in 0..<plain.height {
            for x in 0..<plain.width {
                let (pixel, other) = (clear.pixel(x, y), plain.pixel(x, y))
                #expect(pixel[3] == 255)
                let limit = codes.0 == AV_PIX_FMT_YUVA420P ? 2 : 1
                #expect(zip(pixel, other).allSatisfy { abs($0 - $1) <= limit }, "\(pixel) and \(other) at \(x), \(y)")
            }
        }
    }

    @Test(arguments: [1, 7, 100, 254]) func evenOpacityStaysWhatItIs(opacity: Int) throws {
        let frame = try TestFrame.make(AV_PIX_FMT_GBRAP, width: 64, height: 32) { component, _, _ in
            [90, 30, 220, opacity][component]
        }
        for size in [(31, 9), (100, 77)] {
            let result = try scaled(frame, to: size)
            for x in 0..<result.width {
                let pixel = result.pixel(x, 4)
                #expect(pixel[3] == opacity)
                #expect(zip(pixel, [90, 30, 220]).allSatisfy { abs($0 - $1) <= (opacity < 3 ? 2 : 1) }, "\(pixel)")
            }
        }
    }
}
