import Snap
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The files that are half written, for the case that the process must end at once.
final class UnfinishedFiles: Sendable {
    private let paths = Mutex<Set<String>>([])

    /// Writes a file that appears whole or not at all.
    func write(_ bytes: [UInt8], to path: String) throws(SnapError) {
        let temporary = OutputFile.temporaryPath(beside: path)
        paths.withLock { _ = $0.insert(temporary) }
        defer { paths.withLock { _ = $0.remove(temporary) } }
        try OutputFile.write(bytes, to: path, through: temporary)
    }

    /// Removes what is half written and ends the process; no new file is begun meanwhile.
    func removeAndExit(_ status: Int32) -> Never {
        paths.withLock { paths -> Never in
            for path in paths { OutputFile.remove(path) }
            _exit(status)
        }
    }
}
