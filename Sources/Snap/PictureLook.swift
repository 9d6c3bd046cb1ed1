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
    /// The part of the picture, 0 to 1, that has the commonest luma, give or take 6.
    let plainShare: Double
    /// The part of the picture, 0 to 1, that is nearly black or nearly white.
    let clippedShare: Double
    /// The part of the pixels, 0 to 1, that are as the one above them, but for coding noise.
    let columnShare: Double
    let signature: PictureSignature

    init(_ picture: Picture) {
        let (width, height, step) = (picture.width, picture.height, picture.channels.rawValue)
        var luma = [Int](repeating: 0, count: width * height)
        var (chroma, columns) = (0, 0)
        picture.bytes.withUnsafeBufferPointer { bytes in
            for index in luma.indices {
                let (r, g, b) = (Int(bytes[step * index]), Int(bytes[step * index + 1]), Int(bytes[step * index + 2]))
                luma[index] = (r * 54 + g * 183 + b * 19) >> 8
                chroma += max(r, g, b) - min(r, g, b)
                if index >= width {
                    let above = step * (index - width)
                    let difference = (0..<3).map { abs(Int(bytes[above + $0]) - Int(bytes[step * index + $0])) }.max()
                    if difference ?? 0 <= 4 { columns += 1 }
                }
            }
        }
        let count = Double(luma.count)
        let mean = Double(luma.reduce(0, +)) / count
        self.mean = mean
        deviation = (luma.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / count).squareRoot()
        colourfulness = Double(chroma) / count
        columnShare = height > 1 ? Double(columns) / Double(width * (height - 1)) : 0
        var histogram = [Int](repeating: 0, count: 256)
        for value in luma { histogram[value] += 1 }
        entropy = stride(from: 0, to: 256, by: 4).reduce(0.0) { sum, first in
            let share = Double(histogram[first..<first + 4].reduce(0, +)) / count
            return share > 0 ? sum - share * log2(share) : sum
        }
        let mode = histogram.indices.max { histogram[$0] < histogram[$1] } ?? 0
        plainShare = Double(histogram[max(mode - 6, 0)...min(mode + 6, 255)].reduce(0, +)) / count
        clippedShare = Double((histogram[..<8] + histogram[248...]).reduce(0, +)) / count
        var edges = 0
        for y in 1..<max(height - 1, 1) {
            for x in 1..<max(width - 1, 1) {
                let i = y * width + x
                edges += abs(4 * luma[i] - luma[i - 1] - luma[i + 1] - luma[i - width] - luma[i + width])
            }
        }
        sharpness = Double(edges) / count
        signature = PictureSignature(picture)
    }

    /// What rules the picture out while there is a better one; `nil` for nothing.
    func flaw(sharpest: Double) -> Flaw? {
        if mean < 24, deviation < 16 { return .black }
        if deviation < 8 || entropy < 1 { return .blank }
        return sharpness < sharpest / 5 ? .blurred : nil
    }

    /// What else than a scene it shows, though that may be all there is to see; `nil` for nothing.
    var filler: Flaw? {
        // Whole columns of strong colours: bars. Lines of text on a plain ground: a slate, or credits.
        if columnShare > 0.9, colourfulness > 60 { return .testPattern }
        return plainShare > 0.75 && deviation > 20 && sharpness > 2 ? .text : nil
    }

    /// Whether it is on its way from or to something else.
    ///
    /// - Parameter contrast: The deviation of good pictures of the video.
    func isFaded(contrast: Double) -> Bool { deviation < 0.45 * contrast }

    /// Whether it shows what another one shows with more contrast.
    func isFaded(from other: PictureLook) -> Bool {
        deviation < 0.85 * other.deviation && signature.likeness(to: other.signature) > 0.98
    }

    enum Flaw: String, CaseIterable {
        case black, blank, blurred, faded, text
        case testPattern = "test pattern"
    }
}
