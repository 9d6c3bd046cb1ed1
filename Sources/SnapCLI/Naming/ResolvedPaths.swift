import Snap

/// Where files that need not be there yet will lie, so that two spellings of one place come out as one: relative and
/// absolute ones, with `..`, through links to folders.
struct ResolvedPaths {
    /// What was found out of folders, by their spelling: most pictures lie in few of them.
    private var folders: [String: String] = [:]
    private static let mostFolders = 1024

    /// - Parameter path: Of a file. A link in its place is not followed, for it would be replaced.
    mutating func resolve(_ path: String) -> String {
        let (folder, name) = OutputFile.split(path)
        return Self.place(name, in: place(ofFolder: folder))
    }

    private mutating func place(ofFolder folder: String) -> String {
        if let known = folders[folder] { return known }
        let place = FileDescriptor.resolvedPath(folder.isEmpty ? "." : folder) ?? place(ofNewFolder: folder)
        if folders.count == Self.mostFolders { folders = [:] }
        folders[folder] = place
        return place
    }

    /// Of one that is not there, but will be made in the folder before it.
    private mutating func place(ofNewFolder folder: String) -> String {
        var path = folder
        while path.hasSuffix("/") { path.removeLast() }
        let (parent, name) = OutputFile.split(path)
        // Nothing is left: there is no current folder any more.
        if name.isEmpty { return folder }
        let place = place(ofFolder: parent)
        switch name {
        case ".": return place
        case "..": return String(OutputFile.split(place).folder.dropLast())
        default:
            let path = Self.place(name, in: place)
            return FileDescriptor.resolvedPath(path) ?? path
        }
    }

    private static func place(_ name: String, in folder: String) -> String {
        folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }
}
