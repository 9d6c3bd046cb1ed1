extension Clip {
    /// Where the packets of an MP4 with one track lie, in the order of decoding. They must follow each other.
    public func packets() throws -> [Range<Int>] {
        var boxes = try ISOBox.parse(bytes()[...])
        var sizes: [Int] = []
        ISOBox.change("moov/trak/mdia/minf/stbl/stsz", in: &boxes) { box in
            sizes = stride(from: 12, to: box.payload.count, by: 4).map { place in
                box.payload[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            }
        }
        var start = 0
        for box in boxes {
            if box.type == "mdat" {
                guard box.payload.count == sizes.reduce(0, +) else { break }
                start += 8
                return sizes.map { size in
                    defer { start += size }
                    return start..<start + size
                }
            }
            start += box.bytes.count
        }
        throw ProcessError("the packets of \(self) do not follow each other")
    }
}
