/// When the samples of an MP4 track are shown, by its tables of runs (ISO/IEC 14496-12, 8.6.1.2 and 8.6.1.3).
enum CompositionTimes {
    /// So many samples, one as the other.
    private struct Run {
        var count: Int64
        /// What the table says of each.
        let value: Int64
    }

    /// The runs of a table, read as they are needed.
    private struct Runs {
        private let reader: ByteReader
        private var place: Int64
        private let end: Int64
        private var bytes: ArraySlice<UInt8> = []
        private var current: Run?

        /// - Parameter table: `nil` for none: all samples have 0.
        init(_ table: Box?, _ reader: ByteReader) {
            self.reader = reader
            let runs = table?.skipping(8).content ?? 0..<0  // behind version, flags and count
            (place, end) = (runs.lowerBound, runs.upperBound)
            current = table == nil ? Run(count: .max, value: 0) : nil
        }

        /// The run that the next samples are in; `nil` at the end.
        mutating func next() throws(MediaError) -> Run? {
            while current?.count ?? 0 == 0 {
                if bytes.count < 8 {
                    let length = min(end - place, 8192) / 8 * 8
                    if length <= 0 { return nil }
                    bytes = try reader.read(Int(length), at: place)[...]
                    place += length
                    if bytes.count < 8 { return nil }
                }
                let run = Array(bytes.prefix(8))
                bytes = bytes.dropFirst(8)
                // Offsets may be negative.
                current = Run(count: Int64(run.number(at: 0)), value: Int64(Int32(bitPattern: run.number(at: 4))))
            }
            return current
        }

        mutating func pass(_ count: Int64) { current?.count -= count }
    }

    /// The presentation of the last sample that is shown at a time or before it, both in units of the media.
    ///
    /// - Returns: `nil` where none is, and where the track has no table: its samples are in fragments.
    static func last(notAfter time: Int64, in reader: ByteReader, track: UInt32) throws(MediaError) -> Int64? {
        var budget = Box.mostBoxes
        var box = try Box.track(track, in: reader, &budget)
        for type in ["mdia", "minf", "stbl"] { box = try box?.child(type, reader, &budget) }
        guard let tables = box, let durations = try tables.child("stts", reader, &budget) else { return nil }
        var distances = Runs(durations, reader)
        var offsets = Runs(try tables.child("ctts", reader, &budget), reader)
        var decoding: Int64 = 0
        var last: Int64?
        while let distance = try distances.next(), let offset = try offsets.next() {
            let count = min(distance.count, offset.count)
            let room = time - offset.value - decoding
            if room >= 0 {
                let steps = distance.value > 0 ? min(room / distance.value, count - 1) : 0
                last = max(last ?? .min, decoding + offset.value + steps * distance.value)
                if last == time { return last }
            }
            // A run has 32 bits of samples, each of 31 bits: hostile sums are given up.
            let (length, overflow) = count.multipliedReportingOverflow(by: max(distance.value, 0))
            guard !overflow, length < Ticks.limit, decoding < Ticks.limit else { return last }
            decoding += length
            distances.pass(count)
            offsets.pass(count)
        }
        return last
    }
}
