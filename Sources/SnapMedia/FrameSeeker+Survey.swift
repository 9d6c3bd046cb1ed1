import CFFmpeg
import SnapBase

extension FrameSeeker {
    /// Reads the first packets and says what is in the file.
    ///
    /// - Parameter limit: The most packets to read.
    package func survey(packets limit: Int = 3000) throws(MediaError) -> StreamSurvey {
        try whole { () throws(MediaError) in try surveyed(limit) }
    }

    private func surveyed(_ limit: Int) throws(MediaError) -> StreamSurvey {
        var survey = demuxer.description()
        survey.edits = edits.count
        try rewind()
        isFresh = false
        defer { stage = .lost }
        var times: [Int64] = []
        var keys: [Int64] = []
        while survey.packets < limit {
            if let reason = interrupt.reason { throw .interrupted(reason) }
            guard let packet = try demuxer.nextPacket() else {
                survey.isWhole = true
                break
            }
            survey.packets += 1
            if packet.isDiscarded { survey.hiddenPackets += 1 }
            guard let time = clock.presentation(of: packet), !packet.isDiscarded else { continue }
            times.append(time)
            if packet.isKey { keys.append(time) }
        }
        times.sort()
        // Frames that were reordered across the end of what was read would leave gaps.
        if !survey.isWhole { times.removeLast(min(times.count, 32)) }
        let distances = zip(times.dropFirst(), times).map { $0 - $1 }.filter { $0 > 0 }
        if let least = distances.min(), let most = distances.max(), let first = times.first, let last = times.last {
            survey.frameDistance = least...most
            survey.meanFrameDistance = MediaTime(ticks: last - first, timeBase: timeBase)
                .scaled(by: 1, over: Int64(distances.count))
        }
        keys.sort()
        let spans = zip(keys.dropFirst(), keys).map { MediaTime(ticks: $0 - $1, timeBase: timeBase) }.filter {
            $0 > .zero
        }
        if let least = spans.min(), let most = spans.max() { survey.keyDistance = least...most }
        return survey
    }
}

extension Demuxer {
    /// What the headers say.
    func description() -> StreamSurvey {
        unsafe withContext { context in
            let format = unsafe context.pointee.iformat
            let parameters = unsafe stream.pointee.codecpar
            let pixelFormat = unsafe parameters.flatMap { unsafe av_get_pix_fmt_name(AVPixelFormat($0.pointee.format)) }
            let others = unsafe Self.streams(of: context).filter { unsafe $0 != stream }
            return unsafe StreamSurvey(
                container: text(format?.pointee.name) ?? "unknown",
                containerTitle: text(format?.pointee.long_name) ?? "unknown",
                byteCount: sourceSize,
                codec: parameters.map { unsafe String(cString: avcodec_get_name($0.pointee.codec_id)) } ?? "unknown",
                codedWidth: Int(parameters?.pointee.width ?? 0),
                codedHeight: Int(parameters?.pointee.height ?? 0), pixelFormat: text(pixelFormat),
                otherStreams: others.isEmpty ? nil : Self.summary(of: others))
        }
    }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String? { unsafe pointer.map { unsafe String(cString: $0) } }
}
