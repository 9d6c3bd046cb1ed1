import Snap

/// The paths that the pictures of one call are written to: no picture replaces another one, or a video that is read.
struct ClaimedPaths {
    private var owners: [String: String] = [:]
    private var inputs: [FileIdentity.Place: String] = [:]
    private var paths = ResolvedPaths()

    /// - Parameter sources: The videos that are read.
    init(protecting sources: [Source]) {
        for case .file(let path) in sources {
            if let file = FileIdentity(ofRegularFile: path) { inputs[file.place] = path }
        }
    }

    /// Takes a path for a picture.
    ///
    /// - Returns: Why it can't be had, or `nil`.
    mutating func claim(_ path: String, for owner: String) -> String? {
        if let file = FileIdentity(ofRegularFile: path), let input = inputs[file.place] {
            return "would be written over the video \(input)"
        }
        let key = paths.resolve(path)
        if let other = owners[key] {
            return
                "is the name of two pictures (\(other) and \(owner)); use fields such as {dir}, {stem}, {index} or {time}"
        }
        owners[key] = owner
        return nil
    }
}
