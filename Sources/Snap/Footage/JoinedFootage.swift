import SnapBase
import SnapMedia

/// Videos that lie one behind the other in one file, each with a clock of its own: shown one after the other.
///
/// One of them is open at a time.
final class JoinedFootage: Footage {
    private struct Part {
        let bytes: Range<Int64>
        /// `nil` while it is not known; nothing where there is no frame in it.
        var length: MediaTime?
    }

    private let source: any ByteSource
    private let errors: ErrorSource
    private let open: (any ByteSource) throws(SnapError) -> FileFootage
    private var parts: [Part]
    private var current: (index: Int, footage: FileFootage)?
    /// What was decoded of parts that are no longer open.
    private var earlierDecoding = DecodingStatistics()

    /// - Parameters:
    ///   - ranges: Where the parts lie in the source, one or more.
    ///   - open: Opens one of them.
    init(
        _ source: any ByteSource, parts ranges: [Range<Int64>], errors: ErrorSource,
        open: @escaping (any ByteSource) throws(SnapError) -> FileFootage
    ) {
        self.source = source
        self.errors = errors
        self.open = open
        parts = ranges.map { Part(bytes: $0) }
    }

    // MARK: Parts

    private func footage(of index: Int) throws(SnapError) -> FileFootage {
        if let current, current.index == index { return current.footage }
        if let current { earlierDecoding.add(current.footage.decoding) }
        current = nil
        let footage = try open(PartByteSource(source, parts[index].bytes))
        current = (index, footage)
        return footage
    }

    private func length(of index: Int) throws(SnapError) -> MediaTime {
        if let known = parts[index].length { return known }
        let length: MediaTime
        do throws(SnapError) { length = try footage(of: index).length() } catch {
            guard [.noVideo, .noFrame, .notMedia].contains(error.code) else { throw error }
            length = .zero
        }
        parts[index].length = length
        return length
    }

    /// The part that is shown at a time, and when it begins; past the end, the last one with a frame.
    private func part(at time: MediaTime) throws(SnapError) -> (index: Int, start: MediaTime) {
        var shown: (index: Int, start: MediaTime)?
        var start = MediaTime.zero
        for index in parts.indices {
            let length = try length(of: index)
            if length > .zero { shown = (index, start) }
            start = start + length
            if time < start { break }
        }
        guard let shown else { throw SnapError(.noFrame, source: errors.name, "no frame could be decoded") }
        return shown
    }

    // MARK: Footage

    func length() throws(SnapError) -> MediaTime {
        var length = MediaTime.zero
        for index in parts.indices { length = length + (try self.length(of: index)) }
        return length
    }

    func place(of position: StreamPosition) throws(SnapError) -> Moment.Target {
        throw SnapError(.usage, source: errors.name, position.onlyInStreams)
    }

    func frame(
        at target: Moment.Target, next: Moment.Target?, _ wishes: SnapshotOptions
    ) throws(SnapError) -> FootageFrame {
        let time: MediaTime
        switch target {
        case .time(let wanted): time = wanted
        case .representative: time = .zero
        case .lastFrame: time = try length()
        case .frame:
            throw SnapError(
                .usage, source: errors.name,
                "frames are not counted where timestamps begin anew in the middle: ask for a time")
        }
        let (index, start) = try part(at: time)
        var local = target
        if case .time = target { local = .time(time - start) }
        // What lies in another part is no help in this one.
        var localNext: Moment.Target?
        if let later = next?.time, later >= start, later < start + (try length(of: index)) {
            localNext = .time(later - start)
        }
        return moved(try footage(of: index).frame(at: local, next: localNext, wishes), by: start)
    }

    func keyFrame(near time: MediaTime) throws(SnapError) -> FootageFrame? {
        let (index, start) = try part(at: time)
        guard let frame = try footage(of: index).keyFrame(near: time - start) else { return nil }
        return moved(frame, by: start)
    }

    private func moved(_ frame: consuming FootageFrame, by start: MediaTime) -> FootageFrame {
        let time = frame.time
        frame.time = FrameTime(time: time.time + start, pts: time.pts, timeBase: time.timeBase)
        return frame
    }

    /// None: when and where the file was taken is said of its parts, if at all.
    func metadata(of frame: borrowing FootageFrame) -> PictureMetadata { PictureMetadata() }

    /// That of the first part, with the length of all.
    func info() throws(SnapError) -> VideoInfo {
        let length = try length()
        var info = try footage(of: try part(at: .zero).index).info()
        info.length = length
        info.byteCount = try? source.size()
        info.actions.append("timestamps begin anew in the middle: \(parts.count) parts are shown one after the other")
        return info
    }

    var frameSize: (width: Int, height: Int) { current?.footage.frameSize ?? (0, 0) }

    var decoding: DecodingStatistics {
        var decoding = earlierDecoding
        if let current { decoding.add(current.footage.decoding) }
        return decoding
    }

    var reading: ByteSourceStatistics { source.statistics }
}
