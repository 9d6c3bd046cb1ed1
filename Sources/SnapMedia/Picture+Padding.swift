import SnapBase

extension Picture {
    /// Lays the picture on a background, where the geometry asks for one.
    func padded(to geometry: PictureGeometry, with colour: RGBColour) -> Picture {
        guard geometry.width != width || geometry.height != height else { return self }
        let pixel = [colour.red, colour.green, colour.blue, 255].prefix(channels.rawValue)
        let row = Array(repeatElement(pixel, count: geometry.width).joined())
        var bytes = [UInt8]()
        bytes.reserveCapacity(row.count * geometry.height)
        let content = geometry.content
        let (left, right) = (content.x * channels.rawValue, (content.x + content.width) * channels.rawValue)
        for y in 0..<geometry.height {
            guard content.y..<content.y + content.height ~= y else {
                bytes += row
                continue
            }
            let start = (y - content.y) * bytesPerRow
            bytes += row[..<left] + self.bytes[start..<start + bytesPerRow] + row[right...]
        }
        // Counted by the geometry, so this can't fail.
        return Picture(width: geometry.width, height: geometry.height, channels: channels, bytes: bytes) ?? self
    }
}
