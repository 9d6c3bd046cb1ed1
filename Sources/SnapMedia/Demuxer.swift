import CFFmpeg
package import SnapBase

/// Bytes → packets of the video stream: one open container, read through snap's own byte source.
///
/// libavformat opens nothing by itself: it has no protocol, and every nested open is refused.
@safe package struct Demuxer: ~Copyable {
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let io: UnsafeMutablePointer<AVIOContext>
    let reader: ByteReader
    let stream: UnsafeMutablePointer<AVStream>
    /// The length of a tick of the video stream.
    package let timeBase: TimeBase
    /// What libavformat calls the container.
    let formatNames: Set<String>
    private var losses: [any LossDetector]
    private let packedFrames: PackedFrames?
    private var programTimes: ProgramStreamTimes?
    /// Of a transport or program stream, or FLV: whether times begin anew between packets that follow each other.
    private var joinWatch: ClockWatch?
    /// Read already, because the packet before it could not be judged without it.
    private var readAhead: Packet?
    /// Packets that were looked at and put back, the next one last.
    private var returned: [Packet] = []
    /// Whether the last read ended before the container said that it would.
    package private(set) var endedEarly = false
    /// Whether there is nothing more to read, up to the next seek.
    private var hasEnded = false
    private let failuresBefore: Int
    /// How many packets the container listed when it was opened. Matroska without cues lists its clusters as they are
    /// read.
    let listedAtOpening: Int32
    /// How long the source is by its container's account; `nil` where that says nothing.
    let declaredSize: Int64?
    /// Whether a track's frames are said to lie in another file.
    let namesOtherFile: Bool
    /// Where alpha lies beside the pictures; `nil` for none.
    let alphaSource: AlphaSource?
    /// Whether all frames are called key frames though most need those before them, and when the first one is decoded.
    private let hasFalseKeys: Bool
    private let firstListed: Int64?
    /// What the bytes are where they are segments of a stream; `nil` for a file of its own.
    let segments: SegmentFormat?
    /// Whether all of the stream is listed, whatever the container's edit list shows of it.
    private let ignoresEdits: Bool
    /// Frames whose time on screen is over by then are not shown, in ticks: libavformat moves the times of a fragmented MP4
    /// by its edit list, and leaves nothing out. `nil` where all are shown.
    var shownFrom: Int64?
    /// What is told of the packets that are read; `nil` where nobody wants to know.
    let indexer: TimeIndexer?

    /// Opens a container and chooses its video stream.
    ///
    /// - Parameters:
    ///   - source: Where the bytes come from.
    ///   - interrupt: Asked before each read.
    ///   - segments: For segments of a stream, what they are: they are read from front to back, and nothing is probed.
    ///   - indexer: What is told of the packets that are read.
    package init(
        _ source: any ByteSource, segments: SegmentFormat? = nil, indexer: TimeIndexer? = nil, interrupt: Interrupt
    ) throws(MediaError) {
        try self.init(ByteReader(source, interrupt: interrupt), segments, indexer, ignoringEdits: false)
    }

    /// Whether a read failed or was interrupted since the container was opened. What libavformat then remembers of the
    /// source is wrong: it goes on from an end that is none. Only ``reopened()`` helps.
    var isBroken: Bool { reader.failureCount != failuresBefore }

    /// Opens the same source once more, from its start.
    func reopened() throws(MediaError) -> Demuxer { try reopened(ignoringEdits: ignoresEdits) }

    /// The same, with all of the stream or what the container's edit list shows of it.
    func reopened(ignoringEdits: Bool) throws(MediaError) -> Demuxer {
        var demuxer = try Demuxer(reader, segments, indexer, ignoringEdits: ignoringEdits)
        demuxer.shownFrom = shownFrom
        return demuxer
    }

    private init(
        _ reader: ByteReader, _ segments: SegmentFormat?, _ indexer: TimeIndexer?, ignoringEdits: Bool
    ) throws(MediaError) {
        cff_log_capture()
        _ = lastLogLine()
        let (context, io) = try unsafe Self.open(
            reader, segments, knowsEnd: indexer?.knowsEnd ?? false, ignoringEdits: ignoringEdits)
        let names = unsafe Set(Self.formatNames(context.pointee.iformat))
        let choice: (stream: UnsafeMutablePointer<AVStream>, timeBase: TimeBase)
        do throws(MediaError) {
            unsafe choice = try unsafe Self.chooseStream(of: context)
            let isWhole = segments == nil && reader.isSeekable
            declaredSize = isWhole ? try DeclaredSize.size(of: reader, names) : nil
        } catch {
            unsafe Self.close(context, io)
            throw error
        }
        self.reader = reader
        self.segments = segments
        formatNames = names
        self.indexer = indexer
        ignoresEdits = ignoringEdits
        namesOtherFile = lastLogLine()?.contains("external track") ?? false
        failuresBefore = reader.failureCount
        unsafe self.context = context
        unsafe self.io = io
        unsafe stream = choice.stream
        timeBase = unsafe choice.timeBase
        losses = unsafe LossDetection.detectors(for: choice.stream)
        packedFrames = unsafe PackedFrames(in: choice.stream, formatNames: formatNames)
        programTimes = unsafe ProgramStreamTimes(of: choice.stream, formatNames: formatNames)
        alphaSource = unsafe AlphaSource.find(in: choice.stream)
        hasFalseKeys = unsafe Self.hasFalseKeys(choice.stream)
        firstListed = unsafe avformat_index_get_entry(choice.stream, 0).map { unsafe $0.pointee.timestamp }
        listedAtOpening = unsafe avformat_index_get_entries_count(choice.stream)
        joinWatch = segments == nil && (timesSomePackets || formatNames.contains("flv")) ? ClockWatch() : nil
        beginIndex()
    }

    deinit { unsafe Self.close(context, io) }

    // MARK: Packets

    /// The next packet of the video stream in decoding order; `nil` at the end.
    mutating func nextPacket() throws(MediaError) -> Packet? {
        if let packet = returned.popLast() { return packet }
        let packet = if let readAhead { readAhead } else { try readPacket() }
        let isUndecided = programTimes?.isUndecided == true || losses.contains(where: \.isUndecided)
        readAhead = packet != nil && isUndecided ? try readPacket() : nil
        if let packet { programTimes?.settle(packet, before: readAhead) }
        return packet
    }

    private mutating func readPacket() throws(MediaError) -> Packet? {
        if hasEnded { return nil }
        let packet = try Packet.allocate()
        var isAfterGap = false
        while true {
            try reader.checkInterrupt()
            let status = unsafe av_read_frame(context, packet.pointer)
            if let failure = reader.takeFailure() { throw failure }
            if status == cff_error_again { continue }
            guard status >= 0 else {
                // Containers report a missing rest in many ways; what was read until here stays good.
                endedEarly = status != cff_error_eof
                hasEnded = true
                if !endedEarly { indexer?.ended() }
                return nil
            }
            // Ogg leaves out pages whose checksum is wrong, and says so in its log only.
            isAfterGap = isAfterGap || lastLogLine()?.contains("CRC mismatch") == true
            if unsafe packet.pointer.pointee.stream_index == stream.pointee.index {
                if packedFrames?.unpack(packet) == false || programTimes?.isRest(packet) == true {
                    unsafe av_packet_unref(packet.pointer)
                    continue
                }
                if isAfterGap { packet.markCorrupt() }
                if let shownFrom, let time = packet.presentation,
                    time + (packet.duration ?? nominalFrameDuration) <= shownFrom
                {
                    packet.markDiscarded()
                }
                if let alphaSource { packet.unmarkKeyWithoutAlphaKey(alphaSource) }
                if hasFalseKeys, packet.decoding != firstListed { packet.unmarkKey() }
                if packet.isEncrypted { throw .encrypted("Common Encryption") }
                for index in losses.indices where losses[index].isSpoilt(packet) { packet.markCorrupt() }
                try watchForJoin(packet)
                if let indexer { tell(indexer, of: packet) }
                return packet
            }
            unsafe av_packet_unref(packet.pointer)
        }
    }

    private mutating func watchForJoin(_ packet: Packet) throws(MediaError) {
        guard joinWatch != nil, let time = packet.decoding else { return }
        let ticks = av_rescale_q(time, unsafe stream.pointee.time_base, AVRational(num: 1, den: 90000))
        guard joinWatch?.see(ClockReading(offset: 0, ticks: ticks)) != nil else { return }
        throw goesBack
    }

    private var goesBack: MediaError {
        let help = timesSomePackets ? " (in a local file, the parts are told apart where they go back far enough)" : ""
        return .unsupported("its timestamps go back in the middle, so that a time means two frames" + help)
    }

    /// Puts packets back, to be read again; the first of them first.
    mutating func putBack(_ packets: [Packet]) { returned.append(contentsOf: packets.reversed()) }

    /// Whether a packet says only that the frame before stays, so that no frame comes of it.
    func repeatsFrame(_ packet: Packet) -> Bool { packedFrames?.isRepeat(packet) ?? false }

    /// Goes to a key frame that is decoded at or before a time, as well as the container can.
    ///
    /// - Parameter ticks: In ticks of ``timeBase``.
    /// - Returns: Whether the demuxer could; where it stands if not is undefined.
    mutating func seek(notAfter ticks: Int64) throws(MediaError) -> Bool {
        try seek(stream: unsafe stream.pointee.index, to: ticks, AVSEEK_FLAG_BACKWARD)
    }

    /// - Parameter place: In ticks of the stream, or with `AVSEEK_FLAG_BYTE` in bytes.
    mutating func seek(stream index: Int32, to place: Int64, _ flags: Int32) throws(MediaError) -> Bool {
        returned = []
        readAhead = nil
        endedEarly = false
        hasEnded = false
        for index in losses.indices { losses[index].restart() }
        packedFrames?.restart()
        programTimes?.jumped()
        if joinWatch != nil { joinWatch = ClockWatch() }
        indexer?.jumped()
        let status = unsafe av_seek_frame(context, index, place, flags)
        if let failure = reader.takeFailure() { throw failure }
        _ = lastLogLine()
        if joinWatch != nil, !timesSomePackets, !isListInOrder { throw goesBack }
        return status >= 0
    }

    // MARK: The source

    /// What the byte source did so far.
    package var sourceStatistics: ByteSourceStatistics { reader.statistics }

    /// The length of the source in bytes, where it is known.
    package var sourceSize: Int64? { reader.size() }

    func withContext<R>(_ body: (UnsafeMutablePointer<AVFormatContext>) -> R) -> R { unsafe body(context) }
}
