import SnapBase

/// Says when each decoded frame comes on screen, also where the container doesn't.
///
/// Frames leave a decoder in presentation order. What is known of their times differs:
/// - Most containers give each packet a presentation time, which the decoder hands on.
/// - AVI and its like count packets in decoding order only. The n-th frame shown gets the n-th of these times; those of
///   packets that give no frame are left out.
/// - Transport and program streams may give a time to some packets only. Frames without one follow the one before, and
///   the first ones of a stream are counted back from the first that has one.
/// - A raw stream has no times. Its frames are counted, one nominal frame duration each, from 0.
struct PresentationClock {
    enum Source { case presentationTimes, decodingTimes, counting }

    let source: Source
    /// In ticks, 1 or more.
    let nominalDuration: Int64
    /// Whether the codec may show frames in another order than that of its packets.
    private let reordersFrames: Bool
    /// When the first frame is shown whose packet doesn't say it; `nil` where that isn't known.
    private var untimedStart: Int64?
    /// Decoding times that no frame was given yet, ascending.
    private var waiting: [Int64] = []
    /// Decoding times of packets whose frames have not come yet, ascending.
    private var awaited: [Int64] = []
    /// Whether it is known which packets behind the key frame gave no frame.
    private var isSettled = false
    private var previous: (presentation: Int64, duration: Int64)?

    /// - Parameters:
    ///   - packets: The first packets of the stream.
    ///   - nominalDuration: Of a frame, in ticks.
    ///   - reordersFrames: Whether the codec may show frames in another order than that of its packets.
    ///   - delay: How many frames later a packet's frame is shown than the packet is decoded, at least.
    init(packets: [Packet], nominalDuration: Int64, reordersFrames: Bool, delay: Int64) {
        // Of B-frames in AVI, libavformat says that they are shown when they are decoded; and nothing of the others.
        let tellsPresentation = packets.contains { $0.presentation != nil && $0.presentation != $0.decoding }
        let isUntold = packets.contains { $0.presentation == nil && $0.decoding != nil }
        if isUntold, !tellsPresentation {
            source = .decodingTimes
        } else if packets.contains(where: { $0.presentation != nil }) {
            source = .presentationTimes
        } else {
            source = .counting
        }
        self.nominalDuration = nominalDuration
        self.reordersFrames = reordersFrames
        if source == .presentationTimes {
            untimedStart = Self.untimedStart(of: packets, nominalDuration, delay: delay * nominalDuration)
        }
    }

    /// Counts back from the first packet with a time to the first key frame before it.
    private static func untimedStart(of packets: [Packet], _ nominalDuration: Int64, delay: Int64) -> Int64? {
        guard let timed = packets.firstIndex(where: { $0.presentation != nil }),
            let time = packets[timed].decoding ?? packets[timed].presentation,
            let key = packets[..<timed].firstIndex(where: \.isKey)
        else { return nil }
        let start = packets[key..<timed].reduce(time) { Ticks.clamped($0 - ($1.duration ?? nominalDuration)) }
        return Ticks.clamped(start + delay)
    }

    /// The clock of a stream whose container lists presentation times.
    init(nominalDuration: Int64) {
        (source, self.nominalDuration, reordersFrames) = (.presentationTimes, nominalDuration, true)
    }

    /// When the packet's own frame is shown, as far as the packet tells: no later than it is.
    func presentation(of packet: Packet) -> Int64? { source == .decodingTimes ? packet.decoding : packet.presentation }

    /// Whether packets don't tell when their frames are shown.
    var needsFrames: Bool { source == .counting || source == .decodingTimes && reordersFrames }

    /// Whether the times of the frames that came depend on those that come next: behind a seek, the first packets may hold
    /// frames that are shown before the key frame, and that can't be decoded from it.
    var isUnsettled: Bool { source == .decodingTimes && reordersFrames && !isSettled }

    /// Forgets what was sent: the decoder was flushed.
    ///
    /// - Parameter atStart: Whether the next packet is the first of the stream.
    mutating func restart(atStart: Bool) {
        waiting = []
        awaited = []
        isSettled = atStart
        previous = nil
    }

    mutating func sent(_ packet: Packet) {
        guard source == .decodingTimes, let time = packet.decoding else { return }
        // The frame is told by it when it comes.
        packet.presentation = time
        waiting.insert(time, at: waiting.firstIndex { $0 > time } ?? waiting.endIndex)
        awaited.insert(time, at: awaited.firstIndex { $0 > time } ?? awaited.endIndex)
    }

    /// A frame left the decoder, behind others that may not have been stamped yet.
    mutating func came(_ frame: borrowing VideoFrame) {
        guard source == .decodingTimes else { return }
        if let place = awaited.firstIndex(of: frame.presentation) { awaited.remove(at: place) }
        guard !reordersFrames || frame.isShownInOrder else { return }
        // What was coded before such a frame is shown before it, or never was a frame.
        let lostCount = awaited.prefix { $0 < frame.presentation }.count
        awaited.removeFirst(lostCount)
        waiting.removeFirst(min(lostCount, waiting.count))
    }

    /// The last frame that came is one that is shown behind all that was coded before it.
    mutating func settle() { isSettled = true }

    mutating func stamp(_ frame: inout VideoFrame) {
        frame.presentation = presentation(of: frame)
        previous = (frame.presentation, frame.duration ?? nominalDuration)
    }

    /// Counts on so that the next frame comes on screen at a time.
    mutating func resume(at presentation: Int64) {
        previous = (Ticks.clamped(presentation - nominalDuration), nominalDuration)
    }

    private mutating func presentation(of frame: borrowing VideoFrame) -> Int64 {
        switch source {
        case .presentationTimes where frame.presentation != VideoFrame.unknown: return frame.presentation
        case .decodingTimes where !waiting.isEmpty: return waiting.removeFirst()
        case .presentationTimes, .decodingTimes, .counting:
            guard let previous else { return untimedStart ?? frame.decodingTime ?? 0 }
            return Ticks.clamped(previous.presentation + (source == .counting ? nominalDuration : previous.duration))
        }
    }
}
