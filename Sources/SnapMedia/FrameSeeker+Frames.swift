/// One frame after the other, each with its time.
extension FrameSeeker {
    /// The next frame in presentation order; `nil` at the end.
    func nextFrame() throws(MediaError) -> VideoFrame? {
        if held.isEmpty {
            guard let frame = try decodedFrame() else { return nil }
            if !clock.isUnsettled { return stamped(frame) }
            held.append(HeldFrame(frame))
            try holdFrames()
        }
        guard let frame = held.removeFirst().frame.take() else { return nil }
        return stamped(frame)
    }

    /// Decodes on until the times of the frames that came are known. At the end they aren't: H.264's decoder may keep the
    /// last ones back, and that of MPEG-4 repeats the last one in the name of a packet that it left out (FFmpeg 6.1, 7.1).
    private func holdFrames() throws(MediaError) {
        var isLast = false
        while !isLast, held.count <= Self.deepestReordering, let frame = try decodedFrame() {
            isLast = frame.isShownInOrder && frame.pixelAddress != held.last?.pixelAddress
            held.append(HeldFrame(frame))
        }
        if isLast { clock.settle() }
    }

    private func stamped(_ frame: consuming VideoFrame) -> VideoFrame {
        carryDisplayMatrix(to: &frame)
        clock.stamp(&frame)
        damage.judge(&frame)
        noteNumber(of: frame)
        return frame
    }

    /// The next frame as it leaves the decoder.
    private func decodedFrame() throws(MediaError) -> VideoFrame? {
        while stage == .reading || stage == .draining {
            if let reason = interrupt.reason { throw .interrupted(reason) }
            let received = try decoder.receive()
            noteLosses()
            switch consume received {
            case .frame(let frame):
                statistics.framesDecoded += 1
                clock.came(frame)
                return frame
            case .refused: packetRefused()
            case .end:
                noteSwallowed()
                stage = isDrainedEarly ? .lost : .ended
            case .needsPacket: try feed()
            }
        }
        return nil
    }

    /// Streams say it at a key frame, for all that follow up to the next (ITU-T H.264, D.2.27; H.265, D.3.17).
    private func carryDisplayMatrix(to frame: inout VideoFrame) {
        if frame.displayMatrix != nil || frame.isKey { displayMatrix = frame.displayMatrix }
        frame.displayMatrix = displayMatrix
    }
}
