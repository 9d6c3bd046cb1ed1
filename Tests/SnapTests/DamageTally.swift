import Snap
import SnapBase
import TestSupport

/// What came of asking a damaged clip for frames whose numbers are known.
struct DamageTally: CustomStringConvertible {
    /// The right frame, as good as in the undamaged clip, with status ok.
    var right = 0
    /// A picture with a reason why it is not quite the one asked for.
    var degraded = 0
    var refused: [SnapError.Code: Int] = [:]
    /// A frame of another time with status ok: never allowed.
    var wrong: [String] = []
    /// The frame asked for with status ok, but spoilt: the decoder said nothing.
    var unnoticed: [String] = []
    /// Errors that should not come of a bad file, or degraded pictures without a reason.
    var improper: [String] = []

    /// Below this, in dB, a picture differs visibly from what it should be.
    static let visible = 25.0

    /// - Parameters:
    ///   - damaged: The clip's bytes, some of them changed.
    ///   - frames: Numbers of frames to ask for, in order of asking.
    ///   - reference: The undamaged pictures of these.
    mutating func add(_ clip: Clip, _ damaged: [UInt8], _ frames: [Int], _ reference: [Int: RGBPicture], _ name: String)
    {
        var reader: VideoReader?
        for frame in frames {
            do throws(SnapError) {
                if reader == nil {
                    reader = try VideoReader(
                        .bytes(damaged), options: .oneThread(timeout: .seconds(10)), interrupt: Interrupt())
                }
                guard let open = reader else { return }
                let moment = try open.moment(.time(clip.facts.time(ofFrame: frame)))
                let snapshot = try open.snapshot(at: moment, options: SnapshotOptions())
                note(
                    clip, snapshot, clip.facts.time(ofFrame: frame), clip.facts.numbers[frame], reference[frame],
                    "\(name), frame \(frame)")
            } catch {
                refused[error.code, default: 0] += 1
                if error.exitCode != 65 && error.exitCode != 69 || error.message.isEmpty {
                    improper.append("\(name), frame \(frame): \(error)")
                }
                if reader == nil { return }
            }
        }
    }

    private mutating func note(
        _ clip: Clip, _ snapshot: Snapshot, _ time: MediaTime, _ expected: Int, _ reference: RGBPicture?,
        _ place: String
    ) {
        let receipt = snapshot.receipt
        let picture = snapshot.picture.rgb
        let got = clip.number(in: picture)
        guard receipt.status == .ok, !receipt.isClamped else {
            degraded += 1
            if receipt.status == .degraded, receipt.message == nil { improper.append("\(place): \(receipt.code)") }
            return
        }
        let likeness = reference.flatMap { picture.peakSignalToNoise(against: $0) } ?? 0
        if receipt.actual?.time != time {
            wrong.append("\(place): got \(got.map(String.init) ?? "an unreadable one")")
        } else if got != expected || likeness < Self.visible {
            unnoticed.append("\(place): \(got.map(String.init) ?? "unreadable"), \(likeness.rounded()) dB")
        } else {
            right += 1
        }
    }

    var description: String {
        "right \(right), degraded \(degraded), refused \(refused.map { "\($0.key.rawValue) \($0.value)" }.sorted()), "
            + "wrong \(wrong), unnoticed \(unnoticed.count): \(unnoticed.prefix(60)), improper \(improper.prefix(3))"
    }
}

extension Clip {
    /// The undamaged pictures of some frames.
    func pictures(of frames: [Int]) throws -> [Int: RGBPicture] {
        let reader = try VideoReader(.file(try path()), options: .oneThread, interrupt: Interrupt())
        var pictures: [Int: RGBPicture] = [:]
        for frame in frames.sorted() {
            let moment = try reader.moment(.time(facts.time(ofFrame: frame)))
            pictures[frame] = try reader.snapshot(at: moment, options: SnapshotOptions()).picture.rgb
        }
        return pictures
    }
}
