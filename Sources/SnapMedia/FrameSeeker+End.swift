import SnapBase

/// Where the video stream ends: of the video alone, whatever the audio does.
struct StreamEnd {
    /// The presentation of the last frame.
    var lastPresentation: Int64
    /// When the last frame's time on screen is over.
    var end: Int64
    /// Whether the container lists more than the source holds.
    var isTruncated: Bool
}

extension FrameSeeker {
    /// When the video is over, in ticks of the stream; measured from its last packets, once.
    package func end() throws(MediaError) -> Int64 {
        try whole { () throws(MediaError) in try streamEnd().end }
    }

    func streamEnd() throws(MediaError) -> StreamEnd {
        if let measuredEnd { return measuredEnd }
        if let end = try indexedEnd() { return end }
        let end = clock.source == .counting ? try countedEnd() : try lastPacketsEnd()
        measuredEnd = end
        if !end.isTruncated {
            indexer?.measured(TimeIndex.End(lastPresentation: end.lastPresentation, end: end.end))
        }
        return end
    }

    /// Reads the last group of pictures, without decoding it.
    private func lastPacketsEnd() throws(MediaError) -> StreamEnd {
        var anchor = demuxer.sampleTableEnd ?? demuxer.declaredEnd ?? .max / 4
        for step in steps {
            guard anchor > origin, try seek(notAfter: anchor) else { break }
            // Frames that are shown last may be decoded before others: all from a key frame on are looked at.
            if let key = try nextKey() {
                demuxer.putBack([key])
                if let end = try scanToEnd() { return end }
            }
            anchor -= step
        }
        try rewind()
        guard let end = try scanToEnd() else { throw noFrame() }
        stage = .lost
        return end
    }

    private func scanToEnd() throws(MediaError) -> StreamEnd? {
        stage = .lost
        isFresh = false
        var last: (presentation: Int64, duration: Int64?)?
        var beforeLast: Int64?
        var lastDecoding = Int64.min
        // How long the frames last whose packets have no times and follow the last that has one.
        var untimedBehind: Int64 = 0
        var hasUntimed = false
        while let packet = try demuxer.nextPacket() {
            if let reason = interrupt.reason { throw .interrupted(reason) }
            lastDecoding = max(lastDecoding, packet.decoding ?? lastDecoding)
            hasUntimed = hasUntimed || packet.presentation == nil
            let isUntimed = packet.presentation == nil && packet.decoding == nil
            untimedBehind = isUntimed ? Ticks.clamped(untimedBehind + (packet.duration ?? clock.nominalDuration)) : 0
            guard let time = clock.presentation(of: packet) ?? packet.decoding, !packet.isDiscarded else { continue }
            if let known = last, time <= known.presentation {
                beforeLast = max(beforeLast ?? time, time)
            } else {
                beforeLast = last?.presentation ?? beforeLast
                last = (time, packet.duration)
            }
        }
        // Frames whose packets say only when they are decoded are shown later: the last by as much as the first.
        if hasUntimed, clock.source == .presentationTimes, lastDecoding > .min, let firstDecoding, let known = last {
            let shown = Ticks.clamped(lastDecoding + untimedBehind + max(origin - firstDecoding, 0))
            if shown > known.presentation { (beforeLast, last) = (known.presentation, (shown, known.duration)) }
        }
        guard let last else { return nil }
        let distance = beforeLast.map { last.presentation - $0 }.flatMap { $0 > 0 ? $0 : nil }
        // AVI's packets of H.264 call their duration that of a field.
        let duration = clock.source == .decodingTimes ? distance ?? last.duration : last.duration ?? distance
        var end = StreamEnd(
            lastPresentation: last.presentation, end: last.presentation + (duration ?? clock.nominalDuration),
            isTruncated: demuxer.endsEarly(behind: lastDecoding == .min ? nil : lastDecoding))
        // A file cut short keeps its declared length: half of it is still half of the video.
        if end.isTruncated, let declared = demuxer.declaredEnd { end.end = max(end.end, declared) }
        return end
    }

    /// A stream without times is as long as the frames that come out of it.
    private func countedEnd() throws(MediaError) -> StreamEnd {
        try restart()
        while let frame = try nextFrame() { shown = consume frame }
        guard let last = shown.presentation else { throw noFrame() }
        stage = .lost
        return StreamEnd(lastPresentation: last, end: last + clock.nominalDuration, isTruncated: false)
    }
}
