import SnapBase

/// Says when each decoded frame comes on screen, also where the container doesn't.
///
/// Frames leave a decoder in presentation order. What is known of their times differs:
/// - Most containers give each packet a presentation time, which the decoder hands on.
/// - AVI and its like count packets in decoding order only. The n-th frame shown gets the n-th of these times.
/// - A raw stream has no times. Its frames are counted, one nominal frame duration each, from 0.
struct PresentationClock {
    enum Source { case presentationTimes, decodingTimes, counting }

    let source: Source
    /// In ticks, 1 or more.
    let nominalDuration: Int64
    /// Decoding times of packets whose frames have not come yet, ascending.
    private var waiting: [Int64] = []
    private var previous: (presentation: Int64, duration: Int64)?

    /// - Parameters:
    ///   - packets: The first packets of the stream.
    ///   - nominalDuration: Of a frame, in ticks.
    init(packets: [Packet], nominalDuration: Int64) {
        if packets.contains(where: { $0.presentation != nil }) {
            source = .presentationTimes
        } else if packets.contains(where: { $0.decoding != nil }) {
            source = .decodingTimes
        } else {
            source = .counting
        }
        self.nominalDuration = nominalDuration
    }

    /// The clock of a stream whose container lists presentation times.
    init(nominalDuration: Int64) { (source, self.nominalDuration) = (.presentationTimes, nominalDuration) }

    /// When the packet's own frame is shown, as far as the packet tells.
    func presentation(of packet: Packet) -> Int64? { source == .decodingTimes ? packet.decoding : packet.presentation }

    /// Forgets what was sent: the decoder was flushed.
    mutating func restart() {
        waiting = []
        previous = nil
    }

    mutating func sent(_ packet: Packet) {
        guard source == .decodingTimes, let time = packet.decoding else { return }
        waiting.insert(time, at: waiting.firstIndex { $0 > time } ?? waiting.endIndex)
    }

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
            guard let previous else { return frame.decodingTime ?? 0 }
            return Ticks.clamped(previous.presentation + (source == .counting ? nominalDuration : previous.duration))
        }
    }
}
