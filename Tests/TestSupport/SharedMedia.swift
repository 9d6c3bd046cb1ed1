import Foundation

/// Real files from elsewhere, in `../shared/media` beside the package. A clone without them has none.
public enum SharedMedia {
    /// The folder of this package.
    public static let packageRoot: String = {
        var folder = #filePath as NSString
        for _ in 0..<3 { folder = folder.deletingLastPathComponent as NSString }
        return folder as String
    }()

    /// The folder of the media, or `nil`. `SNAP_SHARED_MEDIA` names another one.
    public static let folder: String? = {
        let named = ProcessInfo.processInfo.environment["SNAP_SHARED_MEDIA"]
        let path = named ?? (packageRoot as NSString).deletingLastPathComponent + "/shared/media"
        return FileManager.default.fileExists(atPath: path + "/files") ? path : nil
    }()

    /// The path of a real playlist, such as `lists/m3u8parser-gap.m3u8`, or of what is told of them; `nil` without them.
    public static func playlist(_ name: String) -> String? {
        guard let folder else { return nil }
        let path = (folder as NSString).deletingLastPathComponent + "/playlists/" + name
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    /// The path of a real stream's playlist, such as `shaka-hls-gap/playlist.m3u8`, or `nil`.
    public static func stream(_ name: String) -> String? {
        guard let path = folder.map({ $0 + "/hls/" + name }) else { return nil }
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    /// The path of one file, such as `torchcodec-nasa_13013.mp4`, or `nil`.
    public static func file(_ name: String) -> String? {
        guard let path = folder.map({ $0 + "/files/" + name }) else { return nil }
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    /// The paths of all single files, in order; empty without the folder.
    public static let files: [String] = {
        guard let folder = folder.map({ $0 + "/files" }) else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().map { folder + "/" + $0 }
    }()
}
