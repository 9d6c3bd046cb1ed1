package import SnapBase

/// What visits of a file learned about where its key frames lie, for visits that come later: a pure value.
///
/// It need not be whole. Each key frame says how far the knowledge behind it reaches, so that what was never read is
/// looked for in the plain way.
package struct TimeIndex: Sendable, Hashable {
    /// One key frame.
    package struct Key: Sendable, Hashable {
        /// Where to begin reading to get its packet, in bytes from the start of the file.
        package var offset: Int64
        /// When it comes on screen, in ticks.
        package var presentation: Int64
        /// No other key frame comes on screen after this one and before this time, in ticks. ``Ticks/limit`` for the last.
        package var reach: Int64
        /// How many frames come on screen before it; `nil` where nobody counted them.
        package var number: Int64?
        /// Of its packet; `nil` where that was not read.
        package var checksum: UInt32?

        package init(
            offset: Int64, presentation: Int64, reach: Int64? = nil, number: Int64? = nil, checksum: UInt32? = nil
        ) {
            self.offset = offset
            self.presentation = presentation
            self.reach = reach ?? presentation
            self.number = number
            self.checksum = checksum
        }
    }

    /// Which stream of the file it is about: one that says otherwise is another one.
    package struct Stream: Sendable, Hashable {
        /// libavformat's short names, such as `mpegts`.
        package var container: String
        /// libavcodec's number.
        package var codec: Int64
        package var timeBase: TimeBase

        package init(container: String, codec: Int64, timeBase: TimeBase) {
            (self.container, self.codec, self.timeBase) = (container, codec, timeBase)
        }
    }

    /// Where the stream ends, in ticks.
    package struct End: Sendable, Hashable {
        /// The presentation of the last frame.
        package var lastPresentation: Int64
        /// When the last frame's time on screen is over.
        package var end: Int64

        package init(lastPresentation: Int64, end: Int64) {
            (self.lastPresentation, self.end) = (lastPresentation, end)
        }
    }

    /// More than this many key frames are not kept: a day of a picture every tenth of a second.
    package static let mostKeys = 1 << 20

    package let stream: Stream
    /// Ascending, by time as well as by place.
    package private(set) var keys: [Key] = []
    package var end: End?

    package init(_ stream: Stream) { self.stream = stream }

    /// The key frame that is on screen, or begins the group of pictures on screen, at a time; `nil` where that isn't known.
    package func key(at time: Int64) -> Key? {
        guard let key = place(notAfter: time).map({ keys[$0] }), time == key.presentation || time < key.reach else {
            return nil
        }
        return key
    }

    /// The last key frame that is known to come before a frame, or to be it.
    ///
    /// - Parameter number: Of the frame, in presentation order, from 0.
    package func key(notAfterNumber number: Int64) -> Key? {
        keys.last { key in key.number.map { $0 <= number } ?? false }
    }

    /// The last key frame that is not after a time, whatever lies between.
    package func lastKey(notAfter time: Int64) -> Key? { place(notAfter: time).map { keys[$0] } }

    /// Where what is known of a key frame ends: the place of the next one, if that is known to be the next.
    package func nextOffset(behind key: Key) -> Int64? {
        guard let place = place(notAfter: key.presentation), keys.indices.contains(place + 1),
            keys[place + 1].presentation == key.reach
        else { return nil }
        return keys[place + 1].offset
    }

    private func place(notAfter time: Int64) -> Int? {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle].presentation <= time { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }

    /// What became of something learned.
    package enum Lesson: Sendable { case known, new, contradiction }

    /// Adds what was learned of a key frame to what is known of it.
    ///
    /// - Returns: `contradiction` where one key frame is shown after another and lies before it, or it isn't what
    ///   it was: then nothing here can be relied upon.
    package mutating func learn(_ key: Key) -> Lesson {
        guard key.reach >= key.presentation, key.offset >= 0 else { return .contradiction }
        let before = place(notAfter: key.presentation)
        let place = before.map { $0 + 1 } ?? 0
        if place < keys.count, keys[place].presentation < key.reach { return .contradiction }
        if let before {
            if keys[before].presentation == key.presentation { return Self.complete(&keys[before], with: key) }
            if keys[before].offset > key.offset || keys[before].reach > key.presentation { return .contradiction }
        }
        if place < keys.count, keys[place].offset < key.offset { return .contradiction }
        guard keys.count < Self.mostKeys else { return .known }
        keys.insert(key, at: place)
        return .new
    }

    private static func complete(_ known: inout Key, with key: Key) -> Lesson {
        if let number = key.number, let other = known.number, number != other { return .contradiction }
        if let checksum = key.checksum, let other = known.checksum, checksum != other { return .contradiction }
        let before = known
        known.reach = max(known.reach, key.reach)
        known.number = known.number ?? key.number
        known.checksum = known.checksum ?? key.checksum
        return known == before ? .known : .new
    }

    /// Adds what another visit learned.
    ///
    /// - Returns: Whether the two agree.
    package mutating func learn(_ other: TimeIndex) -> Bool {
        guard other.stream == stream else { return false }
        if let end, let otherEnd = other.end, end != otherEnd { return false }
        end = end ?? other.end
        for key in other.keys where learn(key) == .contradiction { return false }
        return true
    }
}
