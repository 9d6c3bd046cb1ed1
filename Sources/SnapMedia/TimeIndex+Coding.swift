import SnapBase

/// The file of a ``TimeIndex``.
///
/// In order: 8 bytes that say what it is and in which version; whose index it is (``identityLength`` bytes); the stream;
/// the end, if it is known; the key frames, each by its distances from the one before; a checksum of all this. Numbers are
/// in groups of seven bits, the lowest first, each byte but the last with its high bit set; signed ones with their sign in
/// the lowest bit. What was written by another version is not read.
extension TimeIndex {
    /// The last byte is the version.
    private static let signature: [UInt8] = Array("snapidx".utf8) + [1]
    /// Of what tells whose index it is, in bytes.
    package static let identityLength = 32
    /// No file is longer, in bytes: what ``mostKeys`` can take.
    package static let longestFile = 32 << 20

    fileprivate enum Marks {
        static let isFollowed: UInt8 = 1
        static let isLast: UInt8 = 2
        static let isNumbered: UInt8 = 4
        static let hasChecksum: UInt8 = 8
    }

    /// - Parameter identity: ``identityLength`` bytes that stand for the file and its state.
    package func encoded(for identity: [UInt8]) -> [UInt8] {
        var writer = VarintWriter()
        writer.bytes = Self.signature + identity
        writer.add(text: stream.container)
        writer.add(signed: stream.codec)
        writer.add(UInt64(stream.timeBase.numerator))
        writer.add(UInt64(stream.timeBase.denominator))
        writer.bytes.append(end == nil ? 0 : 1)
        if let end {
            writer.add(signed: end.lastPresentation)
            writer.add(signed: end.end)
        }
        writer.add(UInt64(keys.count))
        var before = Key(offset: 0, presentation: 0)
        var lastNumber: Int64 = 0
        for (place, key) in keys.enumerated() {
            let next = place + 1 < keys.count ? keys[place + 1].presentation : nil
            let isFollowed = key.reach == next
            let isLast = !isFollowed && key.reach == Ticks.limit
            writer.bytes.append(
                (isFollowed ? Marks.isFollowed : 0) | (isLast ? Marks.isLast : 0)
                    | (key.number == nil ? 0 : Marks.isNumbered) | (key.checksum == nil ? 0 : Marks.hasChecksum))
            writer.add(UInt64(key.offset - before.offset))
            writer.add(signed: key.presentation - before.presentation)
            if !isFollowed, !isLast { writer.add(UInt64(key.reach - key.presentation)) }
            if let number = key.number {
                writer.add(signed: number - lastNumber)
                lastNumber = number
            }
            if let checksum = key.checksum { writer.add(fixed: UInt64(checksum), bytes: 4) }
            before = key
        }
        writer.add(fixed: FNV1a.hash64(writer.bytes.span), bytes: 8)
        return writer.bytes
    }

    /// Reads what ``encoded(for:)`` wrote.
    ///
    /// - Parameter identity: Of the file as it is now.
    /// - Returns: `nil` for whatever else: of another version, about another file or another state of it, cut short, damaged,
    ///   or impossible.
    package init?(_ bytes: [UInt8], for identity: [UInt8]) {
        let head = Self.signature + identity
        guard identity.count == Self.identityLength, bytes.count <= Self.longestFile, bytes.count >= head.count + 8,
            bytes.starts(with: head)
        else { return nil }
        var sum = VarintReader(bytes, from: bytes.count - 8, to: bytes.count)
        guard sum.fixed(bytes: 8) == FNV1a.hash64(bytes.span.extracting(first: bytes.count - 8)) else { return nil }

        var reader = VarintReader(bytes, from: head.count, to: bytes.count - 8)
        guard let container = reader.text(), let codec = reader.signed(),
            let timeBase = reader.timeBase(), let hasEnd = reader.byte()
        else { return nil }
        self.init(Stream(container: container, codec: codec, timeBase: timeBase))
        if hasEnd == 1 {
            guard let last = reader.ticks(), let end = reader.ticks(), end >= last else { return nil }
            self.end = End(lastPresentation: last, end: end)
        }
        guard let count = reader.number(), count <= Self.mostKeys, reader.readKeys(Int(count), into: &self),
            reader.isAtEnd
        else { return nil }
    }
}

extension VarintReader {
    fileprivate mutating func timeBase() -> TimeBase? {
        guard let numerator = number(), let denominator = number() else { return nil }
        return TimeBase(Int32(clamping: numerator), over: Int32(clamping: denominator))
    }

    fileprivate mutating func ticks() -> Int64? { signed().flatMap(Ticks.plausible) }

    fileprivate mutating func readKeys(_ count: Int, into index: inout TimeIndex) -> Bool {
        var keys: [TimeIndex.Key] = []
        var followed: [Bool] = []
        var before = TimeIndex.Key(offset: 0, presentation: 0)
        var lastNumber: Int64 = -1
        for _ in 0..<count {
            guard let marks = byte(), let distance = number(), let later = ticks(),
                let offset = Self.sum(before.offset, Int64(clamping: distance), limit: ByteReader.lastPosition),
                let presentation = Self.sum(before.presentation, later, limit: Ticks.limit)
            else { return false }
            var key = TimeIndex.Key(offset: offset, presentation: presentation)
            let isFollowed = marks & TimeIndex.Marks.isFollowed != 0
            if marks & TimeIndex.Marks.isLast != 0 {
                key.reach = Ticks.limit
            } else if !isFollowed {
                guard let reach = number().flatMap({ Self.sum(presentation, Int64(clamping: $0), limit: Ticks.limit) })
                else { return false }
                key.reach = reach
            }
            if marks & TimeIndex.Marks.isNumbered != 0 {
                guard let step = signed(),
                    let number = Self.sum(max(lastNumber, 0), step, limit: Ticks.limit), number > lastNumber
                else { return false }
                key.number = number
                lastNumber = number
            }
            if marks & TimeIndex.Marks.hasChecksum != 0 {
                guard let checksum = fixed(bytes: 4) else { return false }
                key.checksum = UInt32(truncatingIfNeeded: checksum)
            }
            keys.append(key)
            followed.append(isFollowed)
            before = key
        }
        for place in keys.indices where followed[place] {
            guard place + 1 < keys.count else { return false }
            keys[place].reach = keys[place + 1].presentation
        }
        return keys.allSatisfy { index.learn($0) == .new }
    }

    /// - Returns: `nil` beyond a limit on either side.
    private static func sum(_ left: Int64, _ right: Int64, limit: Int64) -> Int64? {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow || !(-limit...limit).contains(sum) ? nil : sum
    }
}
