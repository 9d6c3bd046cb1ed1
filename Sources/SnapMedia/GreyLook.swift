import CFFmpeg

/// How much of a frame is grey as decoders fill what is missing, seen at one sample of each 8 × 8.
struct GreyLook: Equatable {
    /// The part of the picture, 0 to 1, that is within 8 of 255 levels of the middle of the range, in luma and both
    /// colour differences: a fill with what is coded for it on top. A real picture may hold as much.
    private(set) var share = 0.0
    /// Of the samples looked at: the same for the same picture.
    private(set) var checksum: UInt64 = 0

    private static let distance = 8
    private static let tolerance = 8

    /// Whether so much is grey that it may well be a fill.
    var isSuspicious: Bool { share > 0.25 }

    init(_ frame: borrowing VideoFrame) {
        guard let format = unsafe PixelFormat(AVPixelFormat(frame.pointer.pointee.format)), format.model == .ycbcr,
            let luma = unsafe Component(0, of: frame.pointer, format),
            let blue = unsafe Component(1, of: frame.pointer, format),
            let red = unsafe Component(2, of: frame.pointer, format)
        else { return }
        let (middle, tolerance) = (1 << (format.depth - 1), Self.tolerance << (format.depth - 8))
        var (grey, total) = (0, 0)
        for y in stride(from: Self.distance / 2, to: frame.height, by: Self.distance) {
            for x in stride(from: Self.distance / 2, to: frame.width, by: Self.distance) {
                let samples = (luma[x, y], blue[x, y], red[x, y])
                for value in [samples.0, samples.1, samples.2] {
                    checksum = (checksum ^ UInt64(value)) &* 0x100_0000_01B3  // FNV-1a
                }
                let farthest = max(abs(samples.0 - middle), abs(samples.1 - middle), abs(samples.2 - middle))
                if farthest <= tolerance { grey += 1 }
                total += 1
            }
        }
        if total > 0 { share = Double(grey) / Double(total) }
    }

    /// The samples of one component, by the columns and rows of luma. As H.264's decoder gives them: planes, of 8 bits
    /// or more.
    @safe private struct Component {
        private let base: UnsafePointer<UInt8>
        /// In bytes; negative for pictures that lie bottom up.
        private let stride: Int
        private let shiftX: Int
        private let shiftY: Int
        private let isWide: Bool

        /// - Returns: `nil` where the samples lie otherwise.
        init?(_ index: Int, of frame: UnsafePointer<AVFrame>, _ format: PixelFormat) {
            let flags = unsafe Int32(truncatingIfNeeded: format.descriptor.pointee.flags)
            let isPlanar = flags & AV_PIX_FMT_FLAG_PLANAR != 0 && flags & AV_PIX_FMT_FLAG_BE == 0
            let parts = unsafe format.descriptor.pointee.comp
            let part = index == 0 ? parts.0 : index == 1 ? parts.1 : parts.2
            isWide = format.depth > 8
            let (data, strides) = unsafe (frame.pointee.data, frame.pointee.linesize)
            let plane = unsafe index == 0 ? data.0 : index == 1 ? data.1 : data.2
            guard isPlanar, !format.isHardware, !format.isFloat, format.depth >= 8, Int(part.plane) == index,
                Int(part.step) == (isWide ? 2 : 1), part.shift == 0, let plane = unsafe plane
            else { return nil }
            unsafe base = UnsafePointer(plane)
            stride = Int(index == 0 ? strides.0 : index == 1 ? strides.1 : strides.2)
            shiftX = index == 0 ? 0 : format.chromaShiftX
            shiftY = index == 0 ? 0 : format.chromaShiftY
        }

        subscript(x: Int, y: Int) -> Int {
            let row = unsafe base + (y >> shiftY) * stride
            let column = x >> shiftX
            return unsafe isWide ? Int(row[2 * column]) | Int(row[2 * column + 1]) << 8 : Int(row[column])
        }
    }
}
