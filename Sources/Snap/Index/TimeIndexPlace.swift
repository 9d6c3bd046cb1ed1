/// Where time indexes are kept: what was learned of the places of key frames, for visits that come later.
public enum TimeIndexPlace: Sendable, Hashable {
    /// In a folder, which is made if there is none, under names that tell nobody what they are about. Many processes may
    /// use it at once.
    case folder(String)
    /// Beside each file, as its name and `.snapindex`. Not for URLs.
    case beside

    /// What the names of indexes end in.
    package static let suffix = ".snapindex"

    /// Makes the folder.
    ///
    /// - Throws: ``SnapError`` with code `cannot-write` where there can be none. One that can't be written to is taken as it
    ///   is: what is in it is read.
    package func prepare() throws(SnapError) {
        guard case .folder(let path) = self else { return }
        if OutputFile.isFolder(path) { return }
        if OutputFile.exists(path) { throw SnapError(.cannotWrite, source: path, "is no folder for time indexes") }
        try OutputFile.makeFolder(path)
    }
}
