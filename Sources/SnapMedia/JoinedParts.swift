package import SnapBase

/// The parts of a file whose times begin anew, as in recordings that somebody joined (`cat a.ts b.ts`) and on DVDs. Times
/// of one part say nothing about another: each is a video of its own.
///
/// Of transport and program streams, times tell; of Matroska and WebM, its structure does.
package struct JoinedParts {
    private let reader: ByteReader
    private var clock: VideoClock
    private let size: Int64

    /// What is read at once: some tenths of a second of most streams, and so a few readings; and how often, where it is
    /// less.
    private static let window = 1 << 18
    private static let mostWindows = 8
    /// A file up to this size is read as a whole.
    private static let small: Int64 = 4 << 20
    /// More are not taken for joined videos.
    private static let most = 4096

    /// Looks for the parts of a source.
    ///
    /// A few places of it are looked at. Only where the times of a later one are earlier, all of it is read. Matroska says
    /// where to look.
    ///
    /// - Returns: Where each part lies, in bytes, two or more; empty where times go on through all of it, and for other
    ///   formats.
    package static func find(in source: any ByteSource, interrupt: Interrupt) throws(MediaError) -> [Range<Int64>] {
        let reader = ByteReader(source, interrupt: interrupt)
        guard reader.isSeekable, let size = reader.size() else { return [] }
        let documents = try EBMLElement.documents(in: reader)
        if !documents.isEmpty { return parts(from: documents, size) }
        guard let clock = VideoClock(head: try reader.read(2048, at: 0)) else { return [] }
        var search = JoinedParts(reader: reader, clock: clock, size: size)
        if size > small, try !search.goesBack() { return [] }
        return try search.parts()
    }

    private init(reader: ByteReader, clock: VideoClock, size: Int64) {
        (self.reader, self.clock, self.size) = (reader, clock, size)
    }

    /// Whether times are earlier in a later place.
    ///
    /// Places at half of the way to each other find a part wherever it begins, for at one byte rate a part that ends
    /// between two of them has run for longer than the next one by then; eighths besides, for rates that change.
    private mutating func goesBack() throws(MediaError) -> Bool {
        var places = Set((0..<8).map { size / 8 * $0 } + [max(size - Int64(Self.window), 0)])
        var place = size / 16
        while place > Int64(Self.window) {
            places.insert(place)
            place /= 2
        }
        var before: ClockReading?
        for place in places.sorted() {
            let readings = try readings(at: place)
            // One that the next one goes on from: a single one may be damaged.
            let steady = zip(readings, readings.dropFirst()).filter { ClockWatch.isSteady(from: $0, to: $1) }.map(\.0)
            var watch = ClockWatch()
            if readings.contains(where: { watch.see($0) != nil }) { return true }
            if let before, let first = steady.first, ClockWatch.isBack(from: before, to: first) { return true }
            before = steady.last ?? before
        }
        return false
    }

    /// What a place tells: two readings or more, where they are near.
    private mutating func readings(at place: Int64) throws(MediaError) -> [ClockReading] {
        clock.jump()
        var readings: [ClockReading] = []
        var bytes: [UInt8] = []
        var offset = place
        for _ in 0..<Self.mostWindows where readings.count < 2 {
            let more = try reader.read(Self.window, at: offset + Int64(bytes.count))
            if more.isEmpty { break }
            bytes += more
            let used = clock.read(bytes, at: offset) { readings.append($0) }
            bytes.removeFirst(used)
            offset += Int64(used)
        }
        return readings
    }

    /// Reads everything.
    private mutating func parts() throws(MediaError) -> [Range<Int64>] {
        clock.jump()
        var cuts: [Int64] = [0]
        var watch = ClockWatch()
        var pending: [UInt8] = []
        var offset: Int64 = 0
        while true {
            let end = offset + Int64(pending.count)
            let more = try reader.read(1 << 20, at: end)
            if more.isEmpty { break }
            pending += more
            let used = clock.read(pending, at: offset) { reading in
                if let begin = watch.see(reading) { cuts.append(begin.seam ?? begin.offset) }
            }
            pending.removeFirst(used)
            offset += Int64(used)
            if cuts.count > Self.most {
                throw .unrecognized("its timestamps begin anew more than \(Self.most) times")
            }
        }
        return Self.parts(from: cuts, size)
    }

    private static func parts(from starts: [Int64], _ size: Int64) -> [Range<Int64>] {
        starts.count < 2 ? [] : zip(starts, starts.dropFirst() + [size]).map { $0..<max($0, $1) }
    }
}

/// Notices where times begin anew. A single reading that is off is a damaged one.
struct ClockWatch {
    /// The last reading, and the one before it.
    private var last: ClockReading?
    private var earlier: ClockReading?
    /// One that doesn't go on from the last.
    private var suspect: ClockReading?

    /// In seconds: by so much times may go back from picture to picture, where a stream says only when they are shown.
    private static let jitter = 0.5

    static func isBack(from before: ClockReading, to later: ClockReading) -> Bool {
        before.seconds(to: later) < -jitter
    }

    static func isSteady(from before: ClockReading, to later: ClockReading) -> Bool {
        (-jitter...10).contains(before.seconds(to: later))
    }

    /// - Returns: The first reading of new times, as soon as a second one confirms it.
    mutating func see(_ reading: ClockReading) -> ClockReading? {
        guard let before = last else {
            last = suspect.flatMap { Self.isSteady(from: $0, to: reading) ? reading : nil }
            suspect = last == nil ? reading : nil
            return nil
        }
        if Self.isSteady(from: before, to: reading) {
            (earlier, last, suspect) = (before, reading, nil)
            return nil
        }
        guard let begin = suspect, Self.isSteady(from: begin, to: reading) else {
            suspect = reading
            return nil
        }
        // Where they go on from the reading before the last, the last was the damaged one.
        let isOneOff = earlier.map { Self.isSteady(from: $0, to: begin) } ?? false
        (earlier, last, suspect) = (begin, reading, nil)
        return !isOneOff && Self.isBack(from: before, to: begin) ? begin : nil
    }
}
