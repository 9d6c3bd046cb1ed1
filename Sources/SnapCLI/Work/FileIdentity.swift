import Snap

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Which file it is, and in which state.
struct FileIdentity: Sendable, Hashable {
    /// Which file it is, in whatever state.
    struct Place: Sendable, Hashable {
        let device: UInt64
        let number: UInt64
    }

    let place: Place
    /// In bytes.
    let length: Int64
    /// Of the last change, in nanoseconds since 1970.
    let modified: Int64

    /// - Returns: `nil` unless there is a regular file.
    init?(ofRegularFile path: String) {
        var status = stat()
        guard path.withPath({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        place = Place(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
        length = Int64(status.st_size)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        modified = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Whether a path leads to it.
    func isSameFile(as path: String) -> Bool {
        FileIdentity(ofRegularFile: path)?.place == place
    }
}
