package import SnapBase

extension Orientation {
    /// Turns and mirrors a picture.
    ///
    /// - Complexity: One read and one write a pixel, in tiles, so that columns stay in the cache.
    package func apply(to picture: Picture) -> Picture {
        guard self != .upright else { return picture }
        let (width, height) = (picture.width, picture.height)
        let (newWidth, newHeight) = swapsSides ? (height, width) : (width, height)
        let channels = picture.bytesPerPixel
        let origin = destination(x: 0, y: 0, width: width, height: height)
        // One step right or down in the source is this many bytes in the result.
        let step = { (x: Int, y: Int) in
            let place = destination(x: x, y: y, width: width, height: height)
            return ((place.y - origin.y) * newWidth + place.x - origin.x) * channels
        }
        let (right, down) = (step(1, 0), step(0, 1))
        let start = (origin.y * newWidth + origin.x) * channels
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: picture.bytes.count) { target, count in
            unsafe picture.bytes.withUnsafeBufferPointer { source in
                guard let source = source.baseAddress, let target = target.baseAddress else { return }
                for tileY in stride(from: 0, to: height, by: Self.tile) {
                    for tileX in stride(from: 0, to: width, by: Self.tile) {
                        let columns = min(Self.tile, width - tileX)
                        for y in tileY..<min(tileY + Self.tile, height) {
                            unsafe Self.copyRow(
                                from: source + (y * width + tileX) * channels,
                                to: target + start + tileX * right + y * down,
                                columns: columns, step: right, channels: channels)
                        }
                    }
                }
            }
            count = picture.bytes.count
        }
        // As many pixels as before, so this can't fail.
        return picture.replacing(width: newWidth, height: newHeight, bytes: bytes)
    }

    /// 32 by 32 pixels of source and result fit in any first-level cache.
    private static let tile = 32

    @inline(__always)
    private static func copyRow(
        from source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, columns: Int, step: Int,
        channels: Int
    ) {
        var (source, target) = unsafe (source, target)
        for _ in 0..<columns {
            unsafe target[0] = source[0]
            unsafe target[1] = source[1]
            unsafe target[2] = source[2]
            if channels > 3 { for byte in 3..<channels { unsafe target[byte] = source[byte] } }
            unsafe source += channels
            unsafe target += step
        }
    }
}
