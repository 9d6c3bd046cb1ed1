import SnapBase

extension Picture {
    /// Lays the picture on a background, where the geometry asks for one.
    func padded(to geometry: PictureGeometry, with colour: RGBColour) -> Picture {
        guard geometry.width != width || geometry.height != height else { return self }
        let pixel = bytes(of: colour).prefix(bytesPerPixel)
        let row = Array(repeatElement(pixel, count: geometry.width).joined())
        var bytes = [UInt8]()
        bytes.reserveCapacity(row.count * geometry.height)
        let content = geometry.content
        let (left, right) = (content.x * bytesPerPixel, (content.x + content.width) * bytesPerPixel)
        for y in 0..<geometry.height {
            guard content.y..<content.y + content.height ~= y else {
                bytes += row
                continue
            }
            let start = (y - content.y) * bytesPerRow
            bytes += row[..<left] + self.bytes[start..<start + bytesPerRow] + row[right...]
        }
        return replacing(width: geometry.width, height: geometry.height, bytes: bytes)
    }

    /// An opaque pixel.
    private func bytes(of colour: RGBColour) -> [UInt8] {
        guard bitsPerChannel == 16 else { return [colour.red, colour.green, colour.blue, 255] }
        return KeptColour(self.colour).signals(of: colour).flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } + [255, 255]
    }
}
