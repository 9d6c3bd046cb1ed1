import CFFmpeg
package import SnapBase

/// Finds the frame that is on screen at a time: seeks, decodes forward, and makes sure that it is the right one.
///
/// Times are in ticks of ``timeBase``, as the stream counts them; ``origin`` is the presentation of the first frame.
/// Asked for ascending times, it decodes each group of pictures once. A class, used by one thread: its parts are
/// noncopyable, and a noncopyable struct of them could not fail in its initializer.
package final class FrameSeeker {
    var demuxer: Demuxer
    var decoder: Decoder
    var clock: PresentationClock
    var damage: DamageTracker
    let interrupt: Interrupt
    var roles: PictureRoleReader?
    let isSparing: Bool
    /// What is known of the places of key frames, and learns more; `nil` without an index.
    let indexer: TimeIndexer?
    var numbering = KeyNumbering()

    /// When the first frame comes on screen.
    package private(set) var origin: Int64 = 0
    package internal(set) var statistics = DecodingStatistics()

    /// The frame that was on screen last, and the one decoded after it.
    var shown: VideoFrame?
    var upcoming: VideoFrame?
    /// The last frame before ``shown`` without damage, where ``shown`` has some.
    var lastSound: VideoFrame?
    /// Decoded already, and not looked at, for their times depended on each other; the next one first.
    var held: [HeldFrame] = []
    /// The frame before ``shown``, where fields are expected.
    var previous: VideoFrame?
    var fields: FieldExpectation
    /// That of the last frame that said how it is to be turned, up to the next key frame.
    var displayMatrix: [Int32]?
    /// The number of ``shown`` in presentation order, counted from 0; `nil` after a seek.
    var shownNumber: Int?

    enum Stage { case reading, draining, ended, lost }
    /// `lost`: decoding can't go on from here, only after a seek.
    var stage = Stage.reading
    /// Nothing was read since the container was opened, but what ``findOrigin()`` put back.
    var isFresh = true
    var isWaitingForKey = true
    /// Whether nothing in the source is marked as a key frame.
    var isKeyless = false
    /// What is being looked for; `nil` where every packet is decoded.
    var aim: Aim?
    var plan = DecodingPlan()
    /// Whether the decoder was drained before the end, so that what comes next can't be decoded without a seek.
    var isDrainedEarly = false
    /// The latest decoding time of the packets that were sent or left out.
    var lastPassedDecodingTime: Int64?
    /// The presentation of the last key frame sent.
    var lastKey: Int64?
    /// The presentation of the key frame that the present run of decoding sought; `nil` from the start of the source.
    var runKey: Int64?
    /// Frames shown before this may lack references, for that may only be called a key frame; `nil` where it is one.
    var doubtEnd: Int64?
    /// The longest distance between key frames seen so far, in ticks.
    var longestKeyDistance: Int64 = 0
    var measuredEnd: StreamEnd?
    /// From the frame before ``shown`` to it, where that was decoded too.
    var lastDistance: Int64?
    /// What the container says of parts that are shown one after the other.
    let edits: EditList
    /// When which part of the stream is shown, where it isn't shown from its start to its end. ``origin`` and all times here
    /// are then those of the whole stream.
    package let timeline: EditTimeline?
    /// The decoding time of the first packet, where the start of the source was looked at.
    let firstDecoding: Int64?
    /// The presentation of the first packet in decoding order; what a segment's place in a playlist is about.
    package let firstPresentation: Int64?

    /// - Parameters:
    ///   - source: Where the bytes come from.
    ///   - segments: For segments of a stream, what they are. They are decoded from a key frame of theirs or not at
    ///     all; their ``origin`` is what their packets say.
    ///   - options: Threads and limits.
    ///   - indexer: What earlier visits learned of the source, and what learns from this one. Frames are the same
    ///     with it and without.
    ///   - interrupt: Asked before each read and each packet.
    package init(
        _ source: any ByteSource, segments: SegmentFormat? = nil, options: DecodingOptions,
        indexer: TimeIndexer? = nil, interrupt: Interrupt
    ) throws(MediaError) {
        var demuxer = try Demuxer(source, segments: segments, indexer: indexer, interrupt: interrupt)
        edits = try demuxer.editList()
        if EditTimeline.isNeeded(for: edits) {
            if !edits.isLeftAlone { demuxer = try demuxer.reopened(ignoringEdits: true) }
            timeline = EditTimeline(edits, timeBase: demuxer.timeBase, streamEnd: demuxer.declaredEnd)
        } else {
            timeline = nil
            if edits.cutsFragments { demuxer.shownFrom = 0 }
        }
        let listedOrigin = segments == nil ? try demuxer.listedOrigin() : nil
        let first = listedOrigin == nil ? try Self.firstPackets(of: &demuxer) : []
        let decoder = try unsafe Decoder(
            for: demuxer.stream, timeBase: demuxer.timeBase, threads: options.threads,
            isForOneKeyFrame: options.isForOneKeyFrame, pixelLimit: options.pixelLimit,
            alphaSource: demuxer.alphaSource)
        let nominalDuration = demuxer.nominalFrameDuration
        clock =
            listedOrigin == nil
            ? PresentationClock(
                packets: first, nominalDuration: nominalDuration, reordersFrames: demuxer.reordersFrames,
                delay: demuxer.reorderingDepth)
            : PresentationClock(nominalDuration: nominalDuration)
        damage = DamageTracker(framesAtWork: decoder.framesAtWork, showsFramesAgain: decoder.showsFramesAgain)
        firstPresentation = listedOrigin ?? first.first.flatMap(clock.presentation)
        firstDecoding = first.first?.decoding
        fields = FieldExpectation(isKnown: demuxer.namesFieldOrder)
        self.demuxer = demuxer
        self.decoder = decoder
        self.interrupt = interrupt
        self.indexer = indexer
        isSparing = options.isSparing
        // Pictures of alpha have roles of their own.
        roles = self.demuxer.alphaSource == nil ? unsafe PictureRoleReader(self.demuxer.stream) : nil
        numbering.restart(at: 0)
        if clock.source == .decodingTimes { indexer?.giveUp() }
        if let key = first.first { checkIndex(at: key) }
        if let listedOrigin {
            origin = listedOrigin
        } else if segments == nil {
            try findOrigin(first)
            // A part that begins within a frame begins with what is left of it.
            if let start = self.demuxer.shownFrom { origin = max(origin, start) }
        } else {
            origin = first.compactMap { clock.presentation(of: $0) }.min() ?? 0
        }
    }

    /// The length of a tick.
    package var timeBase: TimeBase { demuxer.timeBase }

    // MARK: Where time begins

    /// Enough packets to see whether a frame is shown before the first key frame, and when; they are put back.
    private static func firstPackets(of demuxer: inout Demuxer) throws(MediaError) -> [Packet] {
        var packets: [Packet] = []
        // Streams may begin without times, of which there is one each 0.7 s (ITU-T H.222.0, 2.7.4).
        var limit = demuxer.timesSomePackets ? 100 : 5
        while packets.count < limit, let packet = try demuxer.nextPacket() {
            packets.append(packet)
            if packet.presentation != nil { limit = 5 }
            guard let earliest = packets.compactMap(\.presentation).min(), let decoding = packet.decoding else {
                continue
            }
            if packets.count > 1, decoding >= earliest { break }
        }
        if packets.isEmpty, demuxer.namesOtherFile { throw .refersToOthers("a movie without its frames") }
        if packets.isEmpty { throw .noFrame(demuxer.endedEarly ? "the file ends before its first picture" : nil) }
        demuxer.putBack(packets)
        return packets
    }

    /// The usual stream starts with a key frame that is shown first: its packet tells the origin. Any other is decoded
    /// up to its first frame, for only a decoder knows what it can show.
    private func findOrigin(_ first: [Packet]) throws(MediaError) {
        if clock.source == .counting { return }
        let times = first.compactMap { clock.presentation(of: $0) }
        if let key = first.first, key.isKey, !key.isDiscarded, times.count == first.count, times.min() == times.first {
            origin = times[0]
            return
        }
        try restart()
        origin = shown.presentation ?? 0
        isFresh = false
    }

    func noFrame() -> MediaError {
        // The segments before may hold what these lack: a key frame, or a transport stream's parameter sets.
        if demuxer.segments != nil { return .noKeyFrame }
        let refusal = decoder.lastRefusal.map { $0.detail ?? $0.meaning }
        return .noFrame(refusal ?? (demuxer.endedEarly ? "the file ends too early" : nil))
    }

    // MARK: Packets

    func feed() throws(MediaError) {
        isFresh = false
        guard let packet = try demuxer.nextPacket() else { return try drain() }
        if isWaitingForKey, !packet.isKey { return }
        isWaitingForKey = false
        if let limit = plan.drainTime, let decoding = packet.decoding, decoding > limit {
            demuxer.putBack([packet])
            return try drainEarly()
        }
        try send(packet)
        if packet === plan.lastPacket { try drainEarly() }
        if packet === plan.lastLookedAt { try planAhead() }
    }

    func send(_ packet: Packet) throws(MediaError) {
        isFresh = false
        if packet.byteCount == 0 { return }  // AVI: the frame before stays; and for a decoder it would mean the end
        noteKey(packet)
        let isFrame = !demuxer.repeatsFrame(packet)
        if isFrame { clock.sent(packet) }
        statistics.packetsSent += 1
        notePassed(packet)
        if indexer?.index != nil { numbering.sent(packet, roles?.entry(at: packet)) }
        let presentation = packet.isDiscarded || !isFrame ? nil : clock.presentation(of: packet)
        damage.sent(presentation, isKey: packet.isKey)
        if packet.isCorrupt { damage.packetLost(at: presentation) }
        if try decoder.send(packet) == .refused { packetRefused() }
        noteLosses()
    }

    func noteLosses() {
        // Where nothing is a key frame, references are missing at the start, and pictures get whole bit by bit.
        for packet in decoder.spoiltPackets() where !isKeyless { damage.pictureSpoilt(packetsAgo: packet) }
    }

    /// H.264's decoder keeps back pictures that are shown before a key frame with which decoding began, as they may be
    /// predicted from earlier ones. When it is drained while it still holds one of them, it gives none of those that
    /// follow, and says that this is all.
    func noteSwallowed() {
        if doubtEnd != nil, let runKey { damage.drained(from: runKey) }
    }

    func packetRefused() {
        numbering.restart(at: nil)
        damage.packetRefused()
        // Where frames are counted, one that never comes leaves all later ones a time too early.
        if clock.source == .counting { damage.orderLost() }
    }

    /// Does what was asked for. When that fails, decoding can't go on from where it stopped, only after a seek: packets
    /// may be read and not decoded, frames decoded and not shown.
    func whole<T: ~Copyable>(_ work: () throws(MediaError) -> T) throws(MediaError) -> T {
        do throws(MediaError) {
            return try work()
        } catch {
            stage = .lost
            throw error
        }
    }

    private func drainEarly() throws(MediaError) {
        isDrainedEarly = true
        try drain()
    }

    func drain() throws(MediaError) {
        _ = try decoder.send(nil)
        stage = .draining
    }

    /// The packet was sent or left out.
    func notePassed(_ packet: Packet) {
        if let decoding = packet.decoding { lastPassedDecodingTime = max(lastPassedDecodingTime ?? .min, decoding) }
    }

    private func noteKey(_ packet: Packet) {
        guard packet.isKey, let time = clock.presentation(of: packet) else { return }
        if doubtEnd == .max, roles?.isDoubtful(packet) == false { doubtEnd = time }
        if let last = lastKey, time > last { longestKeyDistance = max(longestKeyDistance, time - last) }
        lastKey = time
    }
}

extension FrameSeeker {
    /// What the stream says of its pictures, for the converter.
    package func streamFacts() throws(MediaError) -> StreamFacts {
        var facts = try whole { () throws(MediaError) in try demuxer.pictureFacts() }
        facts.showsOtherFiles = edits.showsOtherFiles
        return facts
    }

    /// What the container says of how the video came about.
    package func recording() -> RecordingFacts { demuxer.recording() }

    /// Which group of pictures the frame at a time belongs to, a number for each; `nil` where that is not known without
    /// reading.
    package func listedGroup(at time: Int64) -> Int? { demuxer.listedGroup(at: Ticks.clamped(time)) }

    /// The size of a frame, as the container says; 0 where it is not known.
    package var frameSize: (width: Int, height: Int) { demuxer.frameSize }

    /// The codec's profile, such as `High`; `nil` before a frame was decoded.
    package var profile: String? { decoder.profile }

    /// What the byte source did so far.
    package var sourceStatistics: ByteSourceStatistics { demuxer.sourceStatistics }
}
