/// When a picture of a transport or program stream is decoded, in units of 1/90000 s: the decoding time stamp of a PES packet
/// of video, or the presentation time stamp where both are one (ITU-T H.222.0, 2.4.3.7).
struct ClockReading: Equatable {
    /// Where the packet or pack begins that holds it, in bytes from the start of the file.
    let offset: Int64
    /// Of which 33 bits count.
    let ticks: Int64
    /// Where the first packet begins, since the reading before, that doesn't go on from those before it.
    var seam: Int64?

    /// How much later another reading is, in seconds; less than 0 where it is earlier. The clock wraps after 26 hours.
    func seconds(to later: ClockReading) -> Double {
        let wrap = Int64(1) << 33
        let distance = (later.ticks - ticks) & (wrap - 1)
        return Double(distance < wrap / 2 ? distance : distance - wrap) / 90000
    }
}

/// Finds the times of a stream's pictures in its bytes, without a demuxer.
///
/// The clock of the stream itself (PCR, SCR) is no help: multiplexers set it back where the pictures go on.
struct VideoClock {
    private enum Format {
        /// Packets of so many bytes, with the sync byte in a place of theirs.
        case transportStream(packet: Int, sync: Int)
        case programStream
    }

    private let format: Format
    /// The first stream of video: the number of its packets (PID), or the identifier of its PES packets.
    private var video: UInt16?
    /// Of a transport stream: the last counter of each kind of packets; more than 15 where there was none yet.
    private var counters: [UInt8]
    /// Of a transport stream: where the tables begin that come right before the next packet.
    private var tables: Int64?
    /// Of a program stream: the clock of the last pack, and where it begins.
    private var pack: ClockReading?
    private var seam: Int64?

    /// - Parameter head: The first bytes of a file.
    /// - Returns: `nil` for other formats.
    init?(head: [UInt8]) {
        if head.starts(with: [0, 0, 1, 0xBA]) {
            (format, counters) = (.programStream, [])
            return
        }
        // As broadcast; with a time before each packet (M2TS); with check bytes behind it.
        let kinds = [(188, 0), (192, 4), (204, 0)]
        guard let (packet, sync) = kinds.first(where: { Self.isAligned(head, at: 0, $0.0, $0.1, count: 5) }) else {
            return nil
        }
        (format, counters) = (.transportStream(packet: packet, sync: sync), Self.noCounters)
    }

    private static let noCounters = [UInt8](repeating: .max, count: 8192)
    private static let syncByte: UInt8 = 0x47

    private static func isAligned(_ bytes: [UInt8], at start: Int, _ packet: Int, _ sync: Int, count: Int) -> Bool {
        start + packet * count <= bytes.count
            && (0..<count).allSatisfy { bytes[start + packet * $0 + sync] == syncByte }
    }

    /// What is read next doesn't follow what was read last.
    mutating func jump() {
        if !counters.isEmpty { counters = Self.noCounters }
        (tables, pack, seam) = (nil, nil, nil)
    }

    /// Reads on.
    ///
    /// - Parameters:
    ///   - bytes: What follows the bytes before, and those of them that were left.
    ///   - offset: Where they lie, in bytes from the start of the file.
    ///   - found: Is told each reading.
    /// - Returns: How many bytes were looked at. What comes behind them is to be read again, with what follows.
    mutating func read(_ bytes: [UInt8], at offset: Int64, found: (ClockReading) -> Void) -> Int {
        switch format {
        case .transportStream(let packet, let sync): readPackets(bytes, at: offset, packet, sync, found)
        case .programStream: readPacks(bytes, at: offset, found)
        }
    }

    private mutating func tell(_ found: (ClockReading) -> Void, _ ticks: Int64, at offset: Int64) {
        found(ClockReading(offset: offset, ticks: ticks, seam: seam))
        seam = nil
    }

    private mutating func readPackets(
        _ bytes: [UInt8], at offset: Int64, _ length: Int, _ sync: Int, _ found: (ClockReading) -> Void
    ) -> Int {
        var place = 0
        var isLost = true
        while place + 3 * length <= bytes.count {
            // Three in a row, for the byte may be anything's.
            if isLost, !Self.isAligned(bytes, at: place, length, sync, count: 3) {
                place += 1
                continue
            }
            let start = place + sync
            isLost = bytes[start] != Self.syncByte
            if isLost { continue }
            readPacket(bytes, start..<start + 188, at: offset + Int64(place), found)
            place += length
        }
        return place
    }

    /// A packet of a transport stream (ITU-T H.222.0, 2.4.3.2).
    private mutating func readPacket(
        _ bytes: [UInt8], _ packet: Range<Int>, at offset: Int64, _ found: (ClockReading) -> Void
    ) {
        let head = packet.lowerBound
        let stream = UInt16(bytes[head + 1] & 0x1F) << 8 | UInt16(bytes[head + 2])
        let hasPayload = bytes[head + 3] & 0x10 != 0
        guard hasPayload, stream != 0x1FFF else { return }
        let (counter, last) = (bytes[head + 3] & 15, counters[Int(stream)])
        // With the tables before it, whose counters may go on by chance.
        let begin = tables ?? offset
        tables = stream < 0x20 ? begin : nil
        if last <= 15, counter != last, counter != (last + 1) & 15, seam == nil { seam = begin }
        counters[Int(stream)] = counter
        let isScrambled = bytes[head + 3] & 0xC0 != 0
        guard bytes[head + 1] & 0x40 != 0, !isScrambled, stream == video ?? stream else { return }
        let hasField = bytes[head + 3] & 0x20 != 0
        let payload = head + 4 + (hasField ? 1 + Int(bytes[head + 4]) : 0)
        guard let ticks = Self.pictureTicks(bytes, payload..<max(payload, packet.upperBound)) else { return }
        video = stream
        seam = seam ?? (begin < offset ? begin : nil)
        tell(found, ticks, at: offset)
    }

    private mutating func readPacks(_ bytes: [UInt8], at offset: Int64, _ found: (ClockReading) -> Void) -> Int {
        var place = 0
        while place + Self.longestHeader <= bytes.count {
            // The third byte of a start code is 1, and the two before it are 0.
            guard bytes[place + 2] <= 1 else {
                place += 3
                continue
            }
            guard bytes[place + 2] == 1, bytes[place] == 0, bytes[place + 1] == 0 else {
                place += 1
                continue
            }
            let kind = bytes[place + 3]
            if kind == 0xBA, let ticks = Self.packTicks(bytes, at: place + 4) {
                let begun = ClockReading(offset: offset + Int64(place), ticks: ticks)
                if let pack, seam == nil, pack.seconds(to: begun) < -0.1 { seam = begun.offset }
                pack = begun
            } else if UInt16(kind) == video ?? UInt16(kind),
                let ticks = Self.pictureTicks(bytes, place..<place + Self.longestHeader)
            {
                video = UInt16(kind)
                tell(found, ticks, at: pack?.offset ?? offset + Int64(place))
            }
            place += 4
        }
        return place
    }

    /// Of a PES packet up to its time stamps, with all the stuffing that MPEG-1 allows.
    private static let longestHeader = 36

    /// When the picture is decoded that begins in a PES packet of video (ITU-T H.222.0, 2.4.3.6; MPEG-1: ISO/IEC 11172-1,
    /// 2.4.3.3); `nil` for other packets, and where it doesn't say.
    private static func pictureTicks(_ bytes: [UInt8], _ packet: Range<Int>) -> Int64? {
        let head = packet.lowerBound
        guard packet.count >= 19, bytes[head..<head + 3].elementsEqual([0, 0, 1]),
            // Video, or what is called so elsewhere, as VC-1.
            (0xE0...0xEF).contains(bytes[head + 3]) || bytes[head + 3] == 0xFD
        else { return nil }
        if bytes[head + 6] & 0xC0 == 0x80 {
            switch bytes[head + 7] >> 6 {
            case 2: return timeStamp(bytes, at: head + 9)
            case 3: return timeStamp(bytes, at: head + 14)
            default: return nil
            }
        }
        var place = head + 6
        while place + 12 < packet.upperBound, bytes[place] == 0xFF { place += 1 }
        if bytes[place] & 0xC0 == 0x40 { place += 2 }
        switch bytes[place] >> 4 {
        case 2 where place + 5 <= packet.upperBound: return timeStamp(bytes, at: place)
        case 3 where place + 10 <= packet.upperBound: return timeStamp(bytes, at: place + 5)
        default: return nil
        }
    }

    /// 33 bits, which marker bits stand between; `nil` where one of them is not set, so that it is none.
    private static func timeStamp(_ bytes: [UInt8], at place: Int) -> Int64? {
        var bits = BitReader(Array(bytes[place..<place + 5]))
        _ = bits.bits(4)
        return markedTicks(&bits)
    }

    /// The clock of a pack header (ITU-T H.222.0, table 2-39; MPEG-1: ISO/IEC 11172-1, 2.4.3.2).
    private static func packTicks(_ bytes: [UInt8], at place: Int) -> Int64? {
        var bits = BitReader(Array(bytes[place..<place + 6]))
        let isMPEG2 = bytes[place] & 0xC0 == 0x40
        guard bits.bits(isMPEG2 ? 2 : 4) == (isMPEG2 ? 1 : 2) else { return nil }
        return markedTicks(&bits)
    }

    private static func markedTicks(_ bits: inout BitReader) -> Int64? {
        var ticks = Int64(0)
        for count in [3, 15, 15] {
            ticks = ticks << count | Int64(bits.bits(count))
            guard bits.flag() else { return nil }
        }
        return ticks
    }
}
