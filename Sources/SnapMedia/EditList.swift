/// The edit list of an MP4 or QuickTime track (ISO/IEC 14496-12, 8.6.6), which libavformat applies and does not tell.
struct EditList {
    private struct Edit {
        /// Where in the track's own time it begins; negative where nothing is shown.
        let start: Int64
        /// How fast it is shown, in 1/65536.
        let rate: UInt32
    }

    /// How many edits there are; 0 without a list.
    private(set) var count = 0
    /// Those that are looked at.
    private var edits: [Edit] = []
    private static let most = 1024

    init() {}

    init(of track: UInt32, in reader: ByteReader) throws(MediaError) {
        var budget = Box.mostBoxes
        let holder = try Box.track(track, in: reader, &budget)?.child("edts", reader, &budget)
        guard let list = try holder?.child("elst", reader, &budget),
            let head = try reader.bytes(8, at: list.content.lowerBound)
        else { return }
        count = Int(head.number(at: 4))
        let (isLong, size) = head[0] == 1 ? (true, 20) : (false, 12)
        let room = Int(clamping: (Int64(list.content.count) - 8) / Int64(size))
        let bytes = try reader.bytes(size * max(0, min(count, room, Self.most)), at: list.content.lowerBound + 8) ?? []
        edits = stride(from: 0, to: bytes.count, by: size).map { place in
            let start =
                isLong
                ? Int64(bitPattern: UInt64(bytes.number(at: place + 8)) << 32 | UInt64(bytes.number(at: place + 12)))
                : Int64(Int32(bitPattern: bytes.number(at: place + 4)))
            return Edit(start: start, rate: bytes.number(at: place + size - 4))
        }
    }

    /// Whether several parts of the track are shown one after the other, in any order: its packets are then listed once
    /// for each part, with what comes before and after the part, so that their times say nothing of those that follow.
    var joinsParts: Bool { edits.count { $0.start >= 0 } > 1 }

    /// Sentences on what is not done as the list says. Usually none.
    var notes: [String] {
        let isRateFollowed = edits.allSatisfy { $0.start < 0 || $0.rate == 1 << 16 }
        let hasGap = edits.drop { $0.start < 0 }.contains { $0.start < 0 }
        return (isRateFollowed ? [] : ["the edit list shows a part faster, slower or as a still, which is not followed"])
            + (hasGap ? ["the edit list leaves a gap between parts, which is not followed"] : [])
    }
}
