import SnapBase

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A path that leads, itself or through links, to a file that a process has open: /dev/stdout, /dev/fd/3,
/// /proc/self/fd/1.
package struct OpenFilePath: Sendable, Hashable {
    /// The number of this process's own; `nil` for another process's.
    package let ownNumber: Int32?

    /// - Returns: `nil` for any other path.
    package init?(_ path: String) {
        var path = path
        // As many links as Linux follows.
        for _ in 0..<40 {
            let target = Self.target(ofLink: path)
            // On Linux, all that processes have open are links; elsewhere, those in /dev/fd are none.
            guard target != nil || path.hasPrefix("/dev/fd/") else { return nil }
            let (folder, name) = OutputFile.split(path)
            guard let place = FileDescriptor.resolvedPath(folder.isEmpty ? "." : folder) else { return nil }
            if let process = Self.process(ofFolder: place) {
                ownNumber = process == getpid() ? Int32(name) : nil
                return
            }
            guard let target else { return nil }
            path = target.utf8.first == UInt8(ascii: "/") ? target : "\(place)/\(target)"
        }
        return nil
    }

    /// Whose open files a folder holds: /proc/12/fd, /proc/12/task/13/fd, and /dev/fd where that is no link to them.
    private static func process(ofFolder path: String) -> pid_t? {
        if path == "/dev/fd" { return getpid() }
        let names = path.split(separator: "/")
        guard names.first == "proc", names.last == "fd", names.count == 3 || names.count == 5 else { return nil }
        return pid_t(names[1])
    }

    /// Where a link leads; `nil` for what is none. The corresponding C function is `readlink`.
    private static func target(ofLink path: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let text = buffer.baseAddress else { return nil }
            let count = path.withPath { readlink($0, text, buffer.count) }
            return count < 0 ? nil : String(pathBytes: buffer[..<count].map { UInt8(bitPattern: $0) })
        }
    }

    /// Whether it is the file that standard output goes to, by whatever number.
    package var isStandardOutput: Bool {
        guard let ownNumber else { return false }
        var (own, output) = (stat(), stat())
        return ownNumber == 1
            || fstat(ownNumber, &own) == 0 && fstat(1, &output) == 0
                && own.st_dev == output.st_dev && own.st_ino == output.st_ino
    }
}
