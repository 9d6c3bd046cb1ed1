import SnapBase
import SnapNetwork

/// What references in playlists mean, and which of them may be followed.
extension StreamFetcher {
    /// What a reference means that stands in a playlist.
    ///
    /// - Parameter base: Where the playlist is.
    /// - Throws: `NetworkError` or ``SnapError`` for what may not be opened from there.
    func address(of reference: String, in base: StreamAddress) throws -> StreamAddress {
        if reference.lowercased().hasPrefix("data:") {
            throw SnapError(.refusedAddress, source: base.name, "names a data: URL where only keys and maps may be one")
        }
        switch base {
        case .url(let url): return .url(try remote(reference, in: url))
        case .file(let path): return .file(try local(reference, beside: path))
        case .inline: throw SnapError(.refusedAddress, source: base.name, "names something else: \(reference)")
        }
    }

    /// The same for keys and initialization sections, which may be part of the playlist itself.
    func address(ofInlineable reference: String, in base: StreamAddress) throws -> StreamAddress {
        guard reference.lowercased().hasPrefix("data:") else { return try address(of: reference, in: base) }
        guard reference.utf8.count <= 65_536, let bytes = StreamAddress.inlineBytes(reference) else {
            throw SnapError(.notMedia, source: base.name, "holds a data: URL that can't be read")
        }
        return .inline(bytes)
    }

    private func remote(_ reference: String, in list: HTTPURL) throws -> HTTPURL {
        do throws(NetworkError) { return try list.resolving(reference) } catch {
            guard error.code == .unsupportedURL else { throw error }
            // Not the user's mistake, but that of whoever made the playlist.
            throw SnapError(
                .refusedAddress, source: list.description, "names what can't be opened: \(error.message)")
        }
    }

    private func local(_ reference: String, beside path: String) throws -> String {
        guard case .folder(let root) = origin else { return path }
        let colon = reference.firstIndex(of: ":")
        if let colon, !reference[..<colon].contains("/") {
            throw SnapError(
                .refusedAddress, source: path,
                "names \(reference), and a local playlist may only name files in its own folder")
        }
        let folder = OutputFile.split(path).folder
        let plain = reference.prefix { $0 != "?" && $0 != "#" }
        let decoded = String(pathBytes: plain.percentDecoded)
        // A name may hold what looks like an escape or a query.
        let candidates = [reference, decoded].map { $0.utf8.first == UInt8(ascii: "/") ? $0 : folder + $0 }
        guard let found = candidates.lazy.compactMap(FileDescriptor.resolvedPath).first else {
            throw SnapError(.notFound, source: path, "names \(decoded), and there is no such file")
        }
        guard found.utf8.starts(with: root.utf8) else {
            throw SnapError(.refusedAddress, source: path, "names \(decoded), which lies outside its own folder")
        }
        return found
    }
}
