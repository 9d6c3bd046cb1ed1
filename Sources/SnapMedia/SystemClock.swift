/// A reading of the clock that a transport or program stream carries beside its pictures, in units of 1/90000 s: the
/// base of PCR (ITU-T H.222.0, 2.4.3.5) or SCR (2.5.3.4).
struct ClockReading: Equatable {
    /// Where the packet begins that holds it, in bytes from the start of the file.
    let offset: Int64
    /// 33 bits.
    let ticks: Int64
    /// Where the tables begin that name the streams, where they come right before it: since the reading before.
    var tables: Int64?

    /// How much later another reading is, in seconds; less than 0 where it is earlier. The clock wraps after 26 hours.
    func seconds(to later: ClockReading) -> Double {
        let wrap = Int64(1) << 33
        let distance = (later.ticks - ticks) & (wrap - 1)
        return Double(distance < wrap / 2 ? distance : distance - wrap) / 90000
    }
}

/// Finds the readings of the clock in the bytes of a stream, without a demuxer.
enum SystemClock {
    /// Packets of so many bytes, with the sync byte in a place of theirs.
    case transportStream(packet: Int, sync: Int)
    case programStream

    /// - Parameter head: The first bytes of a file.
    /// - Returns: `nil` for other formats.
    init?(head: [UInt8]) {
        if head.starts(with: [0, 0, 1, 0xBA]) {
            self = .programStream
            return
        }
        // As broadcast; with a time before each packet (M2TS); with check bytes behind it.
        for (packet, sync) in [(188, 0), (192, 4), (204, 0)] where Self.isAligned(head, at: 0, packet, sync, count: 5) {
            self = .transportStream(packet: packet, sync: sync)
            return
        }
        return nil
    }

    private static func isAligned(_ bytes: [UInt8], at start: Int, _ packet: Int, _ sync: Int, count: Int) -> Bool {
        start + packet * count <= bytes.count
            && (0..<count).allSatisfy { bytes[start + packet * $0 + sync] == syncByte }
    }

    private static let syncByte: UInt8 = 0x47

    /// Reads on.
    ///
    /// - Parameters:
    ///   - bytes: What follows the bytes before, and those of them that were left.
    ///   - offset: Where they lie, in bytes from the start of the file.
    ///   - clockStream: The number of the transport stream's packets whose clock is read; the first that has one, if it is
    ///     not known yet.
    ///   - found: Is told each reading.
    /// - Returns: How many bytes were looked at. What comes behind them is to be read again, with what follows.
    func read(
        _ bytes: [UInt8], at offset: Int64, _ clockStream: inout UInt16?, found: (ClockReading) -> Void
    ) -> Int {
        switch self {
        case .transportStream(let packet, let sync):
            Self.readPackets(bytes, at: offset, packet, sync, &clockStream, found)
        case .programStream: Self.readPacks(bytes, at: offset, found)
        }
    }

    private static func readPackets(
        _ bytes: [UInt8], at offset: Int64, _ length: Int, _ sync: Int, _ clockStream: inout UInt16?,
        _ found: (ClockReading) -> Void
    ) -> Int {
        var place = 0
        var tables: Int64?
        var isLost = true
        while place + 3 * length <= bytes.count {
            // Three in a row, for the byte may be anything's.
            if isLost, !isAligned(bytes, at: place, length, sync, count: 3) {
                place += 1
                continue
            }
            let start = place + sync
            isLost = bytes[start] != syncByte
            if isLost { continue }
            let stream = UInt16(bytes[start + 1] & 0x1F) << 8 | UInt16(bytes[start + 2])
            if stream == 0 { tables = offset + Int64(place) }
            // An adaptation field, long enough for a clock, and with one.
            if bytes[start + 3] & 0x20 != 0, bytes[start + 4] >= 7, bytes[start + 5] & 0x10 != 0,
                stream == clockStream ?? stream
            {
                clockStream = stream
                let ticks = Int64(bytes.number(at: start + 6)) << 1 | Int64(bytes[start + 10] >> 7)
                found(ClockReading(offset: offset + Int64(place), ticks: ticks, tables: tables))
                tables = nil
            }
            place += length
        }
        return place
    }

    private static func readPacks(_ bytes: [UInt8], at offset: Int64, _ found: (ClockReading) -> Void) -> Int {
        var place = 0
        while place + 14 <= bytes.count {
            // The third byte of a start code is 1, and the two before it are 0.
            if bytes[place + 2] > 1 {
                place += 3
            } else if bytes[place + 2] == 1, bytes[place] == 0, bytes[place + 1] == 0, bytes[place + 3] == 0xBA,
                let ticks = packTicks(bytes, at: place + 4)
            {
                found(ClockReading(offset: offset + Int64(place), ticks: ticks, tables: nil))
                place += 12
            } else {
                place += 1
            }
        }
        return place
    }

    /// The clock of a pack header (ITU-T H.222.0, table 2-39; MPEG-1: ISO/IEC 11172-1, 2.4.3.2), which marker bits stand
    /// between; `nil` where one of them is not set, so that it is none.
    private static func packTicks(_ bytes: [UInt8], at place: Int) -> Int64? {
        var bits = BitReader(Array(bytes[place..<place + 6]))
        let isMPEG2 = bytes[place] & 0xC0 == 0x40
        guard bits.bits(isMPEG2 ? 2 : 4) == (isMPEG2 ? 1 : 2) else { return nil }
        var ticks = Int64(0)
        for count in [3, 15, 15] {
            ticks = ticks << count | Int64(bits.bits(count))
            guard bits.flag() else { return nil }
        }
        return ticks
    }
}
