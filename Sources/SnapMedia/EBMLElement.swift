/// An element of a Matroska or WebM file: what it is, and where its content lies (RFC 8794, sections 4 to 6).
struct EBMLElement {
    /// The identifiers that are looked for, as they are written (RFC 9559, section 5.1).
    enum Kind {
        static let header: UInt32 = 0x1A45_DFA3
        static let segment: UInt32 = 0x1853_8067
        static let cluster: UInt32 = 0x1F43_B675
        static let seekHead: UInt32 = 0x114D_9B74
        static let seek: UInt32 = 0x4DBB
        static let seekKind: UInt32 = 0x53AB
        static let seekPosition: UInt32 = 0x53AC
        static let tracks: UInt32 = 0x1654_AE6B
        static let trackEntry: UInt32 = 0xAE
        static let trackType: UInt32 = 0x83
        static let video: UInt32 = 0xE0
        static let displayWidth: UInt32 = 0x54B0
        static let displayHeight: UInt32 = 0x54BA
        static let displayUnit: UInt32 = 0x54B2
        static let cropBottom: UInt32 = 0x54AA
        static let cropTop: UInt32 = 0x54BB
        static let cropLeft: UInt32 = 0x54CC
        static let cropRight: UInt32 = 0x54DD
        static let chapters: UInt32 = 0x1043_A770
        static let edition: UInt32 = 0x45B9
        static let editionIsDefault: UInt32 = 0x45DB
        static let editionIsOrdered: UInt32 = 0x45DD
        static let chapter: UInt32 = 0xB6
        static let chapterStart: UInt32 = 0x91
        static let chapterEnd: UInt32 = 0x92
        static let chapterIsEnabled: UInt32 = 0x4598
        static let chapterSegment: UInt32 = 0x6E67
    }

    /// Elements looked at before a file is given up: those of a hostile one may go on for long.
    static let mostElements = 1024

    let kind: UInt32
    /// Where its content begins, in bytes from the start of the file.
    let start: Int64
    /// Of its content, in bytes, as it says; `nil` where that isn't known yet when it is written.
    let size: Int64?

    /// Where the next element begins; `nil` where that isn't known.
    var end: Int64? {
        guard let size else { return nil }
        let (end, overflow) = start.addingReportingOverflow(size)
        return overflow ? nil : end
    }

    /// The element that begins at a place; `nil` where there is none.
    init?(at place: Int64, in reader: ByteReader) throws(MediaError) {
        let bytes = try reader.read(Self.longestHead, at: place)
        guard let head = bytes.first, head >= 0x10 else { return nil }
        let kindLength = head.leadingZeroBitCount + 1
        guard kindLength < bytes.count, bytes[kindLength] != 0 else { return nil }
        let sizeLength = bytes[kindLength].leadingZeroBitCount + 1
        guard kindLength + sizeLength <= bytes.count else { return nil }
        kind = bytes[..<kindLength].reduce(0) { $0 << 8 | UInt32($1) }
        start = place + Int64(kindLength + sizeLength)
        // All bits set: not known.
        let mask = (Int64(1) << (7 * sizeLength)) - 1
        let number = bytes[kindLength..<kindLength + sizeLength].reduce(Int64(0)) { $0 << 8 | Int64($1) } & mask
        size = number == mask ? nil : number
    }

    private static let longestHead = 12

    /// The segment of a file, which holds all of it but a header.
    static func segment(in reader: ByteReader) throws(MediaError) -> EBMLElement? {
        guard let header = try EBMLElement(at: 0, in: reader), header.kind == Kind.header, let place = header.end,
            let segment = try EBMLElement(at: place, in: reader), segment.kind == Kind.segment
        else { return nil }
        return segment
    }

    /// Where each document begins, of which one file may hold several, one behind the other (RFC 8794, section 9).
    ///
    /// - Returns: In bytes; empty for other formats. What was written as it came, without sizes, is searched through for
    ///   ``mostUnsized`` elements only.
    static func documents(in reader: ByteReader) throws(MediaError) -> [Int64] {
        var starts: [Int64] = []
        var place: Int64 = 0
        var budget = mostUnsized
        while budget > 0, let element = try EBMLElement(at: place, in: reader) {
            if element.kind == Kind.header { starts.append(place) } else if starts.isEmpty { break }
            place = element.end ?? element.start
            budget -= 1
        }
        return starts
    }

    /// Of a recording that was written as it came: the clusters of some hours, or the frames of some minutes.
    private static let mostUnsized = 20_000

    /// An element right below the segment: one before the first cluster, or where the file's list of them (SeekHead) says.
    static func topLevel(
        _ kind: UInt32, in reader: ByteReader, _ budget: inout Int
    ) throws(MediaError) -> EBMLElement? {
        guard let segment = try segment(in: reader) else { return nil }
        let elements = try segment.children(reader, &budget)
        if let element = elements.first(where: { $0.kind == kind }) { return element }
        for list in elements where list.kind == Kind.seekHead {
            for entry in try list.children(reader, &budget) where entry.kind == Kind.seek {
                let parts = try entry.children(reader, &budget)
                guard try parts.first(where: { $0.kind == Kind.seekKind })?.number(reader) == Int(kind),
                    let position = try parts.first(where: { $0.kind == Kind.seekPosition })?.number(reader),
                    case let (place, isTooFar) = segment.start.addingReportingOverflow(Int64(position)), !isTooFar,
                    let element = try EBMLElement(at: place, in: reader), element.kind == kind
                else { continue }
                return element
            }
        }
        return nil
    }

    /// The elements in this one, up to and without the first cluster: what comes behind that may be far away.
    func children(_ reader: ByteReader, _ budget: inout Int) throws(MediaError) -> [EBMLElement] {
        var children: [EBMLElement] = []
        var place = start
        let limit = end ?? .max
        while place < limit, budget > 0, let child = try EBMLElement(at: place, in: reader), child.kind != Kind.cluster
        {
            budget -= 1
            children.append(child)
            guard let next = child.end, next <= limit else { break }
            place = next
        }
        return children
    }

    /// Its content as a number without a sign, of up to eight bytes; `nil` where it isn't one.
    func number(_ reader: ByteReader) throws(MediaError) -> Int? {
        guard let size, (0...8).contains(size), let bytes = try reader.bytes(Int(size), at: start) else { return nil }
        return Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
