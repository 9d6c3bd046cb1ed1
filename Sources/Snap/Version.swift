import SnapMedia

/// What runs.
public enum Version {
    /// Of snap.
    public static let current = "0.1.0"
    /// Of the FFmpeg libraries in use, such as `5.1.9 (libavformat 59.27.100, libavcodec 59.37.100)`. Loads them.
    public static var ffmpeg: String {
        guard (try? Libraries.load()) != nil else { return "could not be loaded: install \(Libraries.packages)" }
        return "\(Libraries.release) (libavformat \(Libraries.formatVersion), libavcodec \(Libraries.codecVersion))"
    }
}
