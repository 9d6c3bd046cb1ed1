import SnapBase

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What a small picture shows, in numbers.
struct PictureLook {
    /// Of luma, 0 to 255.
    let mean: Double
    let deviation: Double
    /// The mean of the absolute second differences of luma.
    let sharpness: Double
    /// The information in the histogram of luma, in bits, 0 to 6.
    let entropy: Double
    /// The mean distance between the largest and smallest channel, 0 to 255.
    let colourfulness: Double

    init(_ picture: Picture) {
        let (width, height, step) = (picture.width, picture.height, picture.channels.rawValue)
        var luma = [Int](repeating: 0, count: width * height)
        var chroma = 0
        picture.bytes.withUnsafeBufferPointer { bytes in
            for index in luma.indices {
                let (r, g, b) = (Int(bytes[step * index]), Int(bytes[step * index + 1]), Int(bytes[step * index + 2]))
                luma[index] = (r * 54 + g * 183 + b * 19) >> 8
                chroma += max(r, g, b) - min(r, g, b)
            }
        }
        let count = Double(luma.count)
        let mean = Double(luma.reduce(0, +)) / count
        self.mean = mean
        deviation = (luma.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / count).squareRoot()
        colourfulness = Double(chroma) / count
        var histogram = [Int](repeating: 0, count: 64)
        for value in luma { histogram[value / 4] += 1 }
        entropy = histogram.filter { $0 > 0 }.reduce(0.0) { sum, bin in
            let share = Double(bin) / count
            return sum - share * log2(share)
        }
        var edges = 0
        for y in 1..<max(height - 1, 1) {
            for x in 1..<max(width - 1, 1) {
                let i = y * width + x
                edges += abs(4 * luma[i] - luma[i - 1] - luma[i + 1] - luma[i - width] - luma[i + width])
            }
        }
        sharpness = Double(edges) / count
    }

    /// How much there is to see, 0 to 1.
    var interest: Double { 0.6 * entropy / 6 + 0.25 * min(sharpness / 30, 1) + 0.15 * min(colourfulness / 100, 1) }

    /// What speaks against the picture; `nil` for nothing.
    func flaw(sharpest: Double) -> String? {
        if mean < 24, deviation < 16 { return "black" }
        if deviation < 8 || entropy < 1 { return "blank" }
        return sharpness < sharpest / 5 ? "blurred" : nil
    }
}
