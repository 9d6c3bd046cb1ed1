import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Ends the command when a signal asks for it: in order if that goes quickly, else at once.
final class SignalWatch: Sendable {
    /// How long the work may take to end in order. A decoder may be busy with one frame for longer.
    private static let grace = DispatchTimeInterval.milliseconds(700)

    private let received = Mutex<Int32?>(nil)
    private let hurrying = DispatchQueue(label: "snap.exit")

    /// Blocks the signals in this thread and those that it will start, so that only ``wait(removing:cancel:)`` gets
    /// them. Signals that the process was started to ignore, as by `nohup`, stay ignored.
    static func prepare() {
        var signals = watched
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        // A closed pipe is an error of the write to it.
        signal(SIGPIPE, SIG_IGN)
    }

    private static var watched: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        return signals
    }

    /// The signal that asked for the end, if any.
    var receivedSignal: Int32? { received.withLock { $0 } }

    /// Waits for signals for as long as the process lives.
    ///
    /// For the main thread: an `async` main would leave it to Dispatch, which waits there with no signal blocked.
    ///
    /// - Parameters:
    ///   - unfinished: What is removed when the process ends at once.
    ///   - cancel: Asks the work to end; called once.
    func wait(removing unfinished: UnfinishedFiles, cancel: () -> Void) -> Never {
        let first = Self.nextSignal()
        received.withLock { $0 = first }
        cancel()
        let status = ExitStatus.ended(bySignal: first)
        hurrying.asyncAfter(deadline: .now() + Self.grace) { unfinished.removeAndExit(status) }
        _ = Self.nextSignal()
        unfinished.removeAndExit(status)
    }

    private static func nextSignal() -> Int32 {
        var signals = watched
        var signal: Int32 = 0
        while sigwait(&signals, &signal) != 0 {}
        return signal
    }
}
