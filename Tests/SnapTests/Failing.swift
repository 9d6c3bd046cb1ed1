import Snap
import SnapBase
import TestSupport

/// Takes one picture, in this thread.
func snapshot(
    of source: Source, at position: Position = .start, options: SnapshotOptions = SnapshotOptions(),
    opening: VideoOptions = .oneThread, interrupt: Interrupt = Interrupt()
) throws(SnapError) -> Snapshot {
    let reader = try VideoReader(source, options: opening, interrupt: interrupt)
    return try reader.snapshot(at: try reader.moment(position), options: options)
}

/// Why no picture comes out of a source; `nil` when one does.
func failure(
    of source: Source, at position: Position = .start, options: SnapshotOptions = SnapshotOptions(),
    opening: VideoOptions = .oneThread, interrupt: Interrupt = Interrupt()
) -> SnapError? {
    do throws(SnapError) {
        _ = try snapshot(of: source, at: position, options: options, opening: opening, interrupt: interrupt)
        return nil
    } catch {
        return error
    }
}

extension VideoOptions {
    /// One decoder thread, so that many tests can run beside each other.
    static var oneThread: VideoOptions {
        var options = VideoOptions()
        options.threads = 1
        options.timeout = .seconds(300)  // many tests run at once
        return options
    }

    /// The same, with less time than a user has.
    static func oneThread(timeout: Duration) -> VideoOptions {
        var options = oneThread
        options.timeout = timeout
        return options
    }
}
