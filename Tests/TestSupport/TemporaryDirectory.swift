import Foundation

/// A folder of its own for a test, removed with all that is in it when the value goes away.
public final class TemporaryDirectory: Sendable {
    /// Absolute, without a final slash.
    public let path: String

    public init() throws {
        let base = NSTemporaryDirectory() as NSString
        path = base.appendingPathComponent("snap-test-" + UUID().uuidString)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in the folder, there or not.
    public func path(_ name: String) -> String { path + "/" + name }

    /// Writes a file and returns its path. Folders in its name are made.
    @discardableResult
    public func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = path(name)
        let folder = (file as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }

    public func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }

    /// The names of all files in the folder and below, relative to it, in order; dot files too.
    public func files() throws -> [String] {
        let all = try FileManager.default.subpathsOfDirectory(atPath: path)
        return all.filter {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path($0), isDirectory: &isFolder) && !isFolder.boolValue
        }.sorted()
    }
}
