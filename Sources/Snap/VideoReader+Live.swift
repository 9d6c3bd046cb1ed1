import SnapBase
import SnapMedia

/// The newest frame of a live stream, again and again.
extension VideoReader {
    /// What tells a frame of a stream from every other.
    package struct FrameIdentity: Sendable, Hashable {
        let pts: Int64
        let timeBase: TimeBase
        let segment: UInt64?
        let restarts: Int?
    }

    /// What one look at a stream gave.
    package struct Look: Sendable {
        package let outcome: LiveSnapshots.Outcome
        package let identity: FrameIdentity?
        /// Whether another look may give more.
        package let isLive: Bool
    }

    /// Whether frames may come behind the last there is now.
    package func isLive(for wishes: SnapshotOptions = SnapshotOptions()) throws(SnapError) -> Bool {
        startTiming()
        footage.prepare(for: wishes)
        return try footage.isLive()
    }

    /// Takes the newest picture, unless it is one that was taken before.
    ///
    /// - Parameter last: What was taken last; `nil` for nothing.
    package func look(after last: FrameIdentity?, options: SnapshotOptions = SnapshotOptions()) -> Look {
        do throws(SnapError) { return try newest(after: last, options) } catch {
            // What a stream is from its beginning, it will be.
            let isLasting =
                last == nil && [.encrypted, .missingDecoder, .noVideo, .refusedAddress].contains(error.code)
            return Look(outcome: .failure(error), identity: last, isLive: !footage.hasEnded && !isLasting)
        }
    }

    private func newest(after last: FrameIdentity?, _ wishes: SnapshotOptions) throws(SnapError) -> Look {
        let start = ContinuousClock.now
        startTiming()
        defer { endOpening() }
        footage.prepare(for: wishes)
        let decodedBefore = footage.decoding.framesDecoded
        let taken = try footage.frame(at: .lastFrame, next: nil, wishes)
        let identity = FrameIdentity(
            pts: taken.time.pts, timeBase: taken.time.timeBase, segment: taken.stream?.segment,
            restarts: taken.stream?.restarts)
        let isLive = taken.stream?.isLive ?? false
        let position = Position.live(behind: .zero)
        if identity == last {
            var receipt = Receipt(source: name, position: position.description)
            receipt.status = .skipped
            receipt.code = taken.remark?.code ?? "unchanged"
            receipt.message = taken.remark?.sentence ?? "no newer frame than that of the last picture"
            receipt.actual = taken.time
            receipt.stream = taken.stream
            receipt.reading = footage.reading
            receipt.framesDecoded = footage.decoding.framesDecoded - decodedBefore
            receipt.milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
            return Look(outcome: .unchanged(receipt), identity: identity, isLive: isLive)
        }
        let moment = Moment(position: position, target: .lastFrame, time: nil)
        let snapshot = try snapshot(of: taken, at: moment, wishes, since: start, decodedBefore: decodedBefore)
        return Look(outcome: .snapshot(snapshot), identity: identity, isLive: isLive)
    }
}
