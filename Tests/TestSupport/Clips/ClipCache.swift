import Foundation

/// The folder of made files, shared by all test processes of a user.
///
/// A file is made in a folder of its own and renamed into place, so that it is there whole or not at all. A lock on a
/// file beside it lets one maker work and the others wait.
enum ClipCache {
    static let folder: String = {
        let base = NSTemporaryDirectory() as NSString
        return base.appendingPathComponent("snap-clips-\(getuid())")
    }()

    /// The path of a made file.
    ///
    /// - Parameters:
    ///   - name: Says all that the file depends on.
    ///   - make: Makes the file in the folder that it is given, and returns its path.
    static func file(_ name: String, make: (String) throws -> String) throws -> String {
        let path = folder + "/" + name
        let files = FileManager.default
        if files.fileExists(atPath: path) { return path }
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let lock = open(path + ".lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw ProcessError("can't lock \(path): \(String(cString: strerror(errno)))") }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 && errno == EINTR {}
        if files.fileExists(atPath: path) { return path }
        let work = folder + "/work-" + UUID().uuidString
        try files.createDirectory(atPath: work, withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: work) }
        let made = try make(work)
        guard rename(made, path) == 0 else {
            throw ProcessError("can't place \(path): \(String(cString: strerror(errno)))")
        }
        return path
    }
}
