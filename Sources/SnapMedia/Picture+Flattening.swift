package import SnapBase

extension Picture {
    /// The picture without alpha: what is transparent shows the colour behind it. An opaque picture comes back as it is.
    package func flattened(onto background: RGBColour) -> Picture {
        guard channels == .rgba else { return self }
        let behind = [background.red, background.green, background.blue].map(Int.init)
        var opaque = [UInt8]()
        opaque.reserveCapacity(width * height * 3)
        for pixel in stride(from: 0, to: bytes.count, by: 4) {
            let alpha = Int(bytes[pixel + 3])
            for channel in 0..<3 {
                let sum = Int(bytes[pixel + channel]) * alpha + behind[channel] * (255 - alpha)
                opaque.append(UInt8((sum + 127) / 255))
            }
        }
        // The size is the same and the bytes were counted above, so this can't fail.
        return Picture(width: width, height: height, channels: .rgb, bytes: opaque) ?? self
    }
}
