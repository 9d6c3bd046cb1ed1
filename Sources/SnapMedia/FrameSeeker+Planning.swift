import CFFmpeg
import SnapBase

/// Looking ahead: what the frame at a time can't depend on is not decoded.
extension FrameSeeker {
    /// How many packets at most, and of how many bytes, wait while others behind them are looked at.
    static let lookAheadLimit = (packets: 100_000, bytes: 64 << 20)
    /// How many packets can be shown later than one that follows them. H.264 and H.265 keep 16 frames at most (ITU-T
    /// H.264, A.3.1; ITU-T H.265, A.4.2), each of which may be two fields.
    static let deepestReordering = 32
    /// How many packets wait at once on the way to the target: enough to see which come before others, and few megabytes.
    private static let windowSize = 64

    /// Decides what to decode for the aim, from a key frame on or from where decoding stopped.
    func planAhead() throws(MediaError) {
        guard let aim, clock.source == .presentationTimes else { return }
        // What is decoded beyond the target serves only who goes on from there.
        let isLast = aim.next.map { isWorthSeeking(to: $0, from: aim.target, passed: aim.target) } ?? true
        if aim.isSparing, upcoming.presentation ?? .min <= aim.target {
            let (ahead, stop) = try packets(upTo: aim.target)
            if stop != .limit, let wanted = Self.packet(shownAt: aim.target, in: ahead) {
                demuxer.putBack(leaveOut(of: ahead, for: wanted, isLast: isLast, stop))
                return
            }
            demuxer.putBack(ahead)
        }
        if isLast, demuxer.tellsDecodingTimes { plan.drainTime = max(aim.target, origin) }
    }

    /// Why reading ahead stopped.
    private enum Stop {
        /// What follows is shown later.
        case target
        /// The target is farther than is looked at once.
        case window
        case end
        /// A packet has no time, or they are too many.
        case limit
    }

    /// Reads on until no packet can follow that is shown at or before a time, or as far as is looked at once.
    private func packets(upTo target: Int64) throws(MediaError) -> (packets: [Packet], stop: Stop) {
        var packets: [Packet] = []
        var byteCount = 0
        var laterCount = 0
        let depth = demuxer.reordersFrames ? Self.deepestReordering : 0
        while packets.count < Self.lookAheadLimit.packets, byteCount < Self.lookAheadLimit.bytes {
            guard let packet = try demuxer.nextPacket() else { return (packets, .end) }
            packets.append(packet)
            byteCount += packet.byteCount
            guard let time = packet.presentation else { break }
            if time > target { laterCount += 1 }
            let isBehind = demuxer.tellsDecodingTimes ? packet.decoding ?? .min > target : laterCount > depth
            if isBehind { return (packets, .target) }
            if laterCount == 0, packets.count >= Self.windowSize { return (packets, .window) }
        }
        return (packets, .limit)
    }

    /// The packet of the frame that is on screen at a time; of two fields of it the later.
    private static func packet(shownAt target: Int64, in packets: [Packet]) -> Int? {
        var best: (index: Int, time: Int64)?
        for (index, packet) in packets.enumerated() where !packet.isDiscarded {
            guard let time = packet.presentation, time <= target, time >= best?.time ?? .min else { continue }
            best = (index, time)
        }
        return best?.index
    }

    /// Makes the plan, and leaves out the packets that it has no use for.
    ///
    /// - Parameters:
    ///   - wanted: The index of the packet of the frame that is aimed at, or of one nearer to it than the others.
    ///   - isLast: Whether the decoder is emptied behind that frame.
    ///   - stop: What ended the packets. At the end of the source all is decoded that may be shown later, with what it
    ///     depends on, for whoever asks what comes then.
    /// - Returns: What stays.
    private func leaveOut(of packets: [Packet], for wanted: Int, isLast: Bool, _ stop: Stop) -> [Packet] {
        let fields = (wanted - 1...wanted + 1).filter { isField($0, with: wanted, in: packets) }
        if isLast, stop == .target { plan.lastPacket = packets[fields.last ?? wanted] }
        plan.expected = packets[wanted].presentation
        let found = packets.map { roles?.role(of: $0) }
        let isEnd = isLast && stop == .target
        let isUselessBySlots = SlotUse.isUseless(in: found.map(\.?.slots), wanted: isEnd ? wanted : nil)
        var kept: [Packet] = []
        for (index, packet) in packets.enumerated() {
            let isShownBefore = packet.presentation ?? .max < packets[wanted].presentation ?? .min
            let role = isShownBefore && !fields.contains(index) ? found[index] : nil
            if let role, role.isUseless(for: isEnd ? found[wanted] : nil) || isUselessBySlots[index] {
                passOver(packet)
            } else {
                kept.append(packet)
            }
        }
        plan.lastLookedAt = stop == .window ? kept.last : nil
        return kept
    }

    /// Whether a packet may hold one field of a frame, and the wanted one the other.
    private func isField(_ index: Int, with wanted: Int, in packets: [Packet]) -> Bool {
        guard packets.indices.contains(index), let time = packets[index].presentation,
            let wantedTime = packets[wanted].presentation
        else { return false }
        return abs(time - wantedTime) <= clock.nominalDuration
    }

    private func passOver(_ packet: Packet) {
        isFresh = false
        shownNumber = nil
        numbering.restart(at: nil)
        plan.lastLeftOut = max(plan.lastLeftOut ?? .min, packet.presentation ?? .min)
        statistics.packetsLeftOut += 1
        notePassed(packet)
    }

    /// Whether the frame that the plan is for came out whole.
    func isPlanMet(for target: Int64) -> Bool {
        guard let expected = plan.expected else { return true }
        guard let time = shown.presentation, !shown.isDamaged else { return false }
        return time >= expected && !damage.isMissing(after: time, notAfter: target)
    }
}
