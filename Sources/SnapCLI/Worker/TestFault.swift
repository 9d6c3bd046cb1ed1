import Snap

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What a decoder may do that no error tells of, done on purpose, for tests of what becomes of the batch.
///
/// Nothing happens unless the environment of the worker holds `SNAP_TEST_FAULTS`.
enum TestFault: String {
    case crash
    case hang
    case swallow

    /// Comes to grief before it can do anything, when `SNAP_TEST_FAULTS` is `start`.
    static func strikeAtStart() {
        if let faults = getenv("SNAP_TEST_FAULTS"), String(cString: faults) == "start" { abort() }
    }

    /// Comes to grief over a file that is called for it: `crash.mp4`.
    static func strike(_ source: Source) {
        guard getenv("SNAP_TEST_FAULTS") != nil, case .file(let path) = source,
            let fault = TestFault(rawValue: InputName(.file(path)).stem)
        else { return }
        switch fault {
        case .crash: abort()
        case .hang: while true { sleep(1000) }
        case .swallow:
            var memory: [[UInt8]] = []
            while true {
                memory.append([UInt8](repeating: 1, count: 16 << 20))
                usleep(1000)
            }
        }
    }
}
