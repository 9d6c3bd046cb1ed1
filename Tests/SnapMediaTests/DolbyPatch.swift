/// A line of what `Tests/ColourReference/reference.py --dolby` prints.
struct DolbyPatch: CustomStringConvertible {
    let description: String
    let metadata: DolbyMetadata
    /// Of 10 bits.
    let samples: [Int]
    /// Whether sRGB has the colour.
    let isInside: Bool
    /// Bytes of sRGB with their fractions, or linear light where sRGB doesn't have it.
    let colour: [Double]
    /// Signals of BT.2020 by PQ, 0 to 1.
    let kept: [Double]

    static let all = ReferenceTable.lines("--dolby").compactMap { DolbyPatch($0) }

    private init?(_ line: Substring) {
        let fields = line.split(separator: ",").map(String.init)
        guard fields.count == 17, let peak = UInt16(fields[0]) else { return nil }
        description = String(line)
        var metadata = DolbyMetadata(
            matrix: Self.numbers(fields[1]), neutral: Self.numbers(fields[2]), cones: Self.numbers(fields[3]))
        metadata.peak = peak
        metadata.curves = fields[4..<7].map(Self.curve)
        metadata.isProfile5 = metadata.matrix == DolbyMetadata.ipt.matrix
        self.metadata = metadata
        samples = fields[7..<10].compactMap { Int($0) }
        isInside = fields[10] == "inside"
        colour = fields[11..<14].compactMap { Double($0) }
        kept = fields[14...].compactMap { Double($0) }
    }

    private static func numbers<Number: FixedWidthInteger>(_ text: String) -> [Number] {
        text.split(separator: " ").compactMap { Number($0) }
    }

    private static func curve(_ text: String) -> DolbyMetadata.Curve {
        let parts = text.split(separator: "/").map(String.init)
        return DolbyMetadata.Curve(
            pivots: numbers(parts[0]),
            pieces: parts.dropFirst().map { part in
                part.hasPrefix("p") ? .polynomial(numbers(part)) : .mixed(numbers(part))
            })
    }
}
