import SnapBase

/// A picture in few numbers, to tell how much two differ.
struct PictureSignature {
    private static let (columns, rows, bins) = (8, 6, 64)

    /// Mean red, green and blue of 8 × 6 parts, 0 to 1.
    private let layout: [Double]
    /// The share of each of 64 colours.
    private let colours: [Double]

    init(_ picture: Picture) {
        let (width, height, step) = (picture.width, picture.height, picture.channels.rawValue)
        var sums = [Int](repeating: 0, count: Self.columns * Self.rows * 3)
        var counts = [Int](repeating: 0, count: Self.columns * Self.rows)
        var histogram = [Int](repeating: 0, count: Self.bins)
        picture.bytes.withUnsafeBufferPointer { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let pixel = step * (y * width + x)
                    let part = y * Self.rows / height * Self.columns + x * Self.columns / width
                    counts[part] += 1
                    var colour = 0
                    for channel in 0..<3 {
                        let value = Int(bytes[pixel + channel])
                        sums[3 * part + channel] += value
                        colour = colour << 2 | value >> 6
                    }
                    histogram[colour] += 1
                }
            }
        }
        layout = sums.indices.map { counts[$0 / 3] > 0 ? Double(sums[$0]) / Double(counts[$0 / 3]) / 255 : 0 }
        colours = histogram.map { Double($0) / Double(width * height) }
    }

    /// How much two pictures differ: 0 for none that is seen, 1 for nothing in common.
    func distance(to other: PictureSignature) -> Double {
        let layouts = zip(layout, other.layout).reduce(0) { $0 + abs($1.0 - $1.1) } / Double(layout.count)
        let colours = zip(colours, other.colours).reduce(0) { $0 + abs($1.0 - $1.1) } / 2
        return min(1, 2 * layouts) / 2 + colours / 2
    }

    /// How much two pictures are alike but for brightness and contrast: 1 for the same scene before and within a fade, 0
    /// for what has nothing in common (the correlation of their parts).
    func likeness(to other: PictureSignature) -> Double {
        let (own, others) = (Self.centred(layout), Self.centred(other.layout))
        func product(_ first: [Double], _ second: [Double]) -> Double {
            zip(first, second).reduce(0) { $0 + $1.0 * $1.1 }
        }
        let size = (product(own, own) * product(others, others)).squareRoot()
        return size > 0 ? max(0, product(own, others) / size) : 0
    }

    private static func centred(_ values: [Double]) -> [Double] {
        let mean = values.reduce(0, +) / Double(values.count)
        return values.map { $0 - mean }
    }
}
