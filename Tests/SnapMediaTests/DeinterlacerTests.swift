import CFFmpeg
import SnapBase
import Testing

@testable import SnapMedia

@Suite struct DeinterlacerTests {
    static let formats = [
        AV_PIX_FMT_YUV420P, AV_PIX_FMT_NV12, AV_PIX_FMT_YUV422P10LE, AV_PIX_FMT_YUYV422, AV_PIX_FMT_P010LE,
    ]

    /// A white bar that is 12 pixels further to the right in the field taken second.
    private func movingBar(_ code: AVPixelFormat, topFirst: Bool) throws -> VideoFrame {
        let unit = 1 << (try #require(PixelFormat(code)).depth - 8)
        return try TestFrame.make(
            code, width: 96, height: 64, tags: .init(range: AVCOL_RANGE_MPEG)
        ) { frame in
            frame.pointee.interlaced_frame = 1
            frame.pointee.top_field_first = topFirst ? 1 : 0
        } sample: { component, x, y in
            let start = (y % 2 == 0) == topFirst ? 30 : 42
            return (component > 0 ? 128 : start..<start + 20 ~= x ? 235 : 16) * unit
        }
    }

    @Test(arguments: formats) func removesTheCombsOfAMovingBar(code: AVPixelFormat) throws {
        for topFirst in [true, false] {
            let (picture, report) = try picture(movingBar(code, topFirst: topFirst))
            #expect(report.isDeinterlaced)
            // The bar stands where the first field has it, in every row.
            for y in 0..<64 {
                for x in 0..<96 { #expect(picture.pixel(x, y)[0] == (30..<50 ~= x ? 255 : 0), "\(x) \(y)") }
            }
        }
    }

    @Test func leavesCombsWhenToldTo() throws {
        var options = PictureOptions()
        options.deinterlacing = .never
        let (picture, report) = try picture(movingBar(AV_PIX_FMT_YUV420P, topFirst: true), options: options)
        #expect(!report.isDeinterlaced)
        #expect(picture.pixel(32, 20)[0] == 255 && picture.pixel(32, 21)[0] == 0)
    }

    /// Text-like detail in one row, slanted edges and a ramp: nothing moved, so nothing may change.
    @Test func keepsWhatStandsStill() throws {
        let value = { (x: Int, y: Int) in
            if y == 21 || y == 40 { return 200 }  // a line one row high, in either field
            if x > y && y < 36 { return 150 }
            return 40 + x / 2
        }
        let frame = try TestFrame.make(
            AV_PIX_FMT_YUV444P, width: 96, height: 64, tags: .init(range: AVCOL_RANGE_JPEG)
        ) {
            $0.pointee.interlaced_frame = 1
            $0.pointee.top_field_first = 1
        } sample: { component, x, y in
            component == 0 ? value(x, y) : 128
        }
        let (picture, report) = try picture(frame)
        #expect(report.isDeinterlaced)
        for y in 0..<64 { for x in 0..<96 { #expect(picture.pixel(x, y)[0] == value(x, y), "\(x) \(y)") } }
    }

    @Test func progressiveFramesAreLeftAlone() throws {
        let frame = try TestFrame.make(AV_PIX_FMT_YUV420P, width: 32, height: 32) { _, x, y in (x * y) % 200 + 20 }
        #expect(try picture(frame).report.isDeinterlaced == false)
    }

    @Test func saysWhenItCannot() throws {
        let frame = try TestFrame.make(
            AV_PIX_FMT_YUV420P, width: 32, height: 2
        ) {
            $0.pointee.interlaced_frame = 1
        } sample: { _, _, _ in
            100
        }
        let report = try picture(frame).report
        #expect(!report.isDeinterlaced && report.notes.count == 1)
    }
}
