import CFFmpeg
import Testing

@testable import SnapMedia

/// What of a frame may be a decoder's fill.
@Suite struct GreyLookTests {
    static let formats = ["yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "yuv444p14le"]

    @Test("Half a frame of the middle of the range is told in every layout of H.264", arguments: formats)
    func half(_ name: String) throws {
        let format = try #require(PixelFormat(av_get_pix_fmt(name)))
        let frame = try TestFrame.make(format.code, width: 64, height: 48) { component, x, _ in
            let isLeft = x < (component == 0 ? 32 : 32 >> format.chromaShiftX)
            return isLeft ? 1 << (format.depth - 1) : 3 + x % 5
        }
        let look = GreyLook(frame)
        #expect(look.share == 0.5 && look.isSuspicious)
    }

    @Test("What is coded on top of a fill hides it only where it is strong; colours and black are none")
    func strength() throws {
        func look(_ luma: Int, _ blue: Int, _ red: Int) throws -> GreyLook {
            GreyLook(
                try TestFrame.make(AV_PIX_FMT_YUV420P, width: 64, height: 48) { component, _, _ in
                    [luma, blue, red][component]
                })
        }
        for (luma, blue, red) in [(120, 136, 128), (128, 128, 128)] { #expect(try look(luma, blue, red).share == 1) }
        for (luma, blue, red) in [(119, 128, 128), (128, 137, 128), (128, 128, 119), (16, 128, 128), (0, 0, 0)] {
            #expect(try look(luma, blue, red).share == 0, "\(luma), \(blue), \(red)")
        }
        #expect(try look(128, 128, 128) != look(128, 128, 129))
    }

    @Test("RGB and grey formats are not looked into, and a pixel or two do no harm")
    func others() throws {
        for (code, width) in [(AV_PIX_FMT_GBRP, 64), (AV_PIX_FMT_GRAY8, 64), (AV_PIX_FMT_YUV420P, 1)] {
            let frame = try TestFrame.make(code, width: width, height: 48) { _, _, _ in 128 }
            #expect(GreyLook(frame).share == 0)
        }
    }
}
