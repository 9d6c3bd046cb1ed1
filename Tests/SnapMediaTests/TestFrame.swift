import CFFmpeg
import SnapBase
import Testing

@testable import SnapMedia

/// Frames made up by a formula, in any pixel format.
enum TestFrame {
    /// - Parameter sample: The value of a component at a place of that component's own grid.
    static func make(
        _ code: AVPixelFormat, width: Int, height: Int, tags: ColourDescription.Tags = .init(),
        prepare: (UnsafeMutablePointer<AVFrame>) -> Void = { _ in },
        sample: (_ component: Int, _ x: Int, _ y: Int) -> Int
    ) throws -> VideoFrame {
        let frame = try check(av_frame_alloc(), "av_frame_alloc")
        var freed: UnsafeMutablePointer<AVFrame>? = frame
        defer { av_frame_free(&freed) }
        frame.pointee.width = Int32(width)
        frame.pointee.height = Int32(height)
        frame.pointee.format = code.rawValue
        frame.pointee.colorspace = tags.matrix
        frame.pointee.color_range = tags.range
        frame.pointee.color_primaries = tags.primaries
        frame.pointee.color_trc = tags.transfer
        try check(av_frame_get_buffer(frame, 0), "av_frame_get_buffer")
        // av_write_image_line2 adds bits to what is there.
        for buffer in [frame.pointee.buf.0, frame.pointee.buf.1, frame.pointee.buf.2, frame.pointee.buf.3] {
            if let memory = buffer?.pointee {
                UnsafeMutableRawBufferPointer(start: memory.data, count: memory.size).initializeMemory(
                    as: UInt8.self, repeating: 0)
            }
        }
        let format = try #require(PixelFormat(code))
        for component in 0..<Int(format.descriptor.pointee.nb_components) {
            let isChroma = format.model == .ycbcr && (component == 1 || component == 2)
            let columns = isChroma ? -(-width >> format.chromaShiftX) : width
            let rows = isChroma ? -(-height >> format.chromaShiftY) : height
            for y in 0..<rows {
                let line = (0..<columns).map { UInt32(sample(component, $0, y)) }
                withUnsafeMutablePointer(to: &frame.pointee.data.0) { data in
                    withUnsafePointer(to: &frame.pointee.linesize.0) { strides in
                        av_write_image_line2(
                            line, data, strides, format.descriptor, 0, Int32(y), Int32(component), Int32(columns), 4)
                    }
                }
            }
        }
        prepare(frame)
        return try VideoFrame(taking: frame, presentation: 0, timeBase: #require(TimeBase(1, over: 25)))
    }
}

extension Picture {
    /// The largest difference of a channel from a colour, anywhere.
    func deviation(from colour: [Double]) -> Double {
        var worst = 0.0
        for (index, byte) in bytes.enumerated() {
            worst = max(worst, abs(Double(byte) - colour[index % channels.rawValue]))
        }
        return worst
    }

    func pixel(_ x: Int, _ y: Int) -> [Int] { self[x, y].map(Int.init) }
}

/// Converts with a fresh converter.
func picture(
    _ frame: borrowing VideoFrame, facts: StreamFacts = StreamFacts(), options: PictureOptions = PictureOptions()
) throws -> (picture: Picture, report: PictureReport) {
    var converter = PictureConverter()
    return try converter.picture(from: frame, facts: facts, options: options)
}
