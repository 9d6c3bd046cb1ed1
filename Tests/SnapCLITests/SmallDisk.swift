import Foundation
import TestSupport

/// A file system that is soon full; only root can make one.
struct SmallDisk {
    private let path: String

    static let isPossible: Bool = {
        guard geteuid() == 0, let folder = try? TemporaryDirectory() else { return false }
        guard let disk = try? SmallDisk(at: folder.path("disk"), kilobytes: 16) else { return false }
        disk.unmount()
        return true
    }()

    init(at path: String, kilobytes: Int) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let result = try ProcessRunner.run("mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", path])
        if result.exitCode != 0 { throw POSIXError(.EPERM) }
    }

    func unmount() { _ = try? ProcessRunner.run("umount", [path]) }
}
