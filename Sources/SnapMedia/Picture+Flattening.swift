package import SnapBase

extension Picture {
    /// The picture without alpha: what is transparent shows the colour behind it. An opaque picture comes back as it is.
    package func flattened(onto background: RGBColour) -> Picture {
        guard channels == .rgba else { return self }
        if bitsPerChannel == 16 { return deepFlattened(onto: background) }
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
        return replacing(channels: .rgb, bytes: opaque)
    }

    /// The same for 16 bits, in the picture's own colours.
    private func deepFlattened(onto background: RGBColour) -> Picture {
        let behind = KeptColour(colour).signals(of: background).map(Int.init)
        let sample = { (index: Int) in Int(bytes[index]) << 8 | Int(bytes[index + 1]) }
        var opaque = [UInt8]()
        opaque.reserveCapacity(width * height * 6)
        for pixel in stride(from: 0, to: bytes.count, by: 8) {
            let alpha = sample(pixel + 6)
            for channel in 0..<3 {
                let sum = sample(pixel + 2 * channel) * alpha + behind[channel] * (65535 - alpha)
                let value = (sum + 32767) / 65535
                opaque += [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)]
            }
        }
        return replacing(channels: .rgb, bytes: opaque)
    }

    /// The same kind of picture with other pixels, as many as the size and the channels need.
    func replacing(
        width: Int? = nil, height: Int? = nil, channels: Channels? = nil, bytes: [UInt8]
    ) -> Picture {
        // Those who call it have counted the bytes, so this can't fail.
        Picture(
            width: width ?? self.width, height: height ?? self.height, channels: channels ?? self.channels,
            bytes: bytes, bitsPerChannel: bitsPerChannel, colour: colour) ?? self
    }
}
