import SnapBase

/// How long a file is by its own account, for containers that begin with that: Matroska and AVI.
enum DeclaredSize {
    /// - Returns: In bytes; `nil` where the container doesn't say.
    static func size(of reader: ByteReader, _ formatNames: Set<String>) throws(MediaError) -> Int64? {
        if formatNames.isDisjoint(with: ["matroska", "avi"]) { return nil }
        let head = try reader.read(64, at: 0)
        return formatNames.contains("avi") ? riffEnd(head) : segmentEnd(head)
    }

    /// RIFF: the name, and how many bytes follow; some writers count these eight with them.
    private static func riffEnd(_ head: [UInt8]) -> Int64? {
        guard head.count >= 8, head.starts(with: Array("RIFF".utf8)) else { return nil }
        let size = head[4..<8].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
        // What is written as it comes says nothing.
        return size == 0 || size == 0xFFFF_FFFF ? nil : size
    }

    /// Matroska: an EBML header, and a Segment that holds all the rest (RFC 9559, section 5.1; RFC 8794, sections 4 to 6).
    private static func segmentEnd(_ head: [UInt8]) -> Int64? {
        guard head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]), let header = size(in: head, at: 4),
            let segment = Int(exactly: Int64(header.place) + header.size), segment + 4 < head.count,
            head[segment...].starts(with: [0x18, 0x53, 0x80, 0x67]), let content = size(in: head, at: segment + 4)
        else { return nil }
        let (end, overflow) = Int64(content.place).addingReportingOverflow(content.size)
        return overflow ? nil : end
    }

    /// A number of one to eight bytes, as many as its first bit that is set says, and the place behind it; `nil` where all
    /// its other bits are set, too: the size is not known.
    private static func size(in bytes: [UInt8], at place: Int) -> (size: Int64, place: Int)? {
        guard place < bytes.count, bytes[place] != 0 else { return nil }
        let length = bytes[place].leadingZeroBitCount + 1
        guard place + length <= bytes.count else { return nil }
        let mask = (Int64(1) << (7 * length)) - 1
        let number = bytes[place..<place + length].reduce(Int64(0)) { $0 << 8 | Int64($1) } & mask
        return number == mask ? nil : (number, place + length)
    }
}
