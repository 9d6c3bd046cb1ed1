import Snap

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The paths that the pictures of one call are written to: no picture replaces another one, or a video that is read.
struct ClaimedPaths {
    private struct Identity: Hashable {
        let device: UInt64
        let number: UInt64

        init?(_ path: String) {
            var status = stat()
            guard path.withPath({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            device = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
        }
    }

    private var owners: [String: String] = [:]
    private var inputs: [Identity: String] = [:]

    /// - Parameter sources: The videos that are read.
    init(protecting sources: [Source]) {
        for case .file(let path) in sources {
            if let identity = Identity(path) { inputs[identity] = path }
        }
    }

    /// Takes a path for a picture.
    ///
    /// - Returns: Why it can't be had, or `nil`.
    mutating func claim(_ path: String, for owner: String) -> String? {
        if let input = Identity(path).flatMap({ inputs[$0] }) { return "would be written over the video \(input)" }
        let key = Self.normalized(path)
        if let other = owners[key] {
            return
                "is the name of two pictures (\(other) and \(owner)); use fields such as {dir}, {stem}, {index} or {time}"
        }
        owners[key] = owner
        return nil
    }

    /// Without what means nothing in a path: `./`, doubled slashes.
    static func normalized(_ path: String) -> String {
        let components = path.split(separator: "/").filter { $0 != "." }
        return (path.hasPrefix("/") ? "/" : "") + components.joined(separator: "/")
    }
}
