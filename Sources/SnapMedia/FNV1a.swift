/// Sums that tell bytes that changed by accident: FNV-1a (Fowler, Noll, Vo; draft-eastlake-fnv). No protection against
/// somebody who wants two to be alike.
enum FNV1a {
    static func hash64(_ bytes: Span<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for place in bytes.indices { hash = (hash ^ UInt64(bytes[place])) &* 0x100_0000_01b3 }
        return hash
    }

    static func hash32(_ bytes: Span<UInt8>, from start: UInt32 = 0x811c_9dc5) -> UInt32 {
        var hash = start
        for place in bytes.indices { hash = (hash ^ UInt32(bytes[place])) &* 0x0100_0193 }
        return hash
    }
}
