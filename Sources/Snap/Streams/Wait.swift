import SnapBase

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Waiting, on a thread that belongs to the library.
enum Wait {
    /// The corresponding C function is `nanosleep`.
    static func briefly(_ duration: Duration) {
        guard duration > .zero else { return }
        let (seconds, attoseconds) = duration.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        nanosleep(&time, nil)
    }
}

extension Duration {
    /// To the millisecond.
    init(_ time: MediaTime) { self = .milliseconds(time.milliseconds) }
}

extension WallClock {
    /// This machine's clock. The corresponding C function is `clock_gettime` with `CLOCK_REALTIME`.
    static var now: WallClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallClock(sinceEpoch: MediaTime(.seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)))
    }
}
