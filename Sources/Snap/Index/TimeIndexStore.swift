import SnapBase
import SnapMedia

/// The file that keeps the ``TimeIndex`` of one source.
struct TimeIndexStore {
    private let path: String
    /// Stands for the source in its present state.
    private let identity: [UInt8]
    /// The state of the source now; `nil` where that can't be told any longer.
    private let state: () -> String?
    private let stateBefore: String

    /// The index of a file.
    ///
    /// - Returns: `nil` where its state can't be told.
    init?(_ place: TimeIndexPlace, forFile path: String) {
        let state = { Self.state(ofFile: path) }
        switch place {
        case .beside: self.init(at: path + TimeIndexPlace.suffix, for: "beside", state)
        case .folder(let folder):
            guard let resolved = FileDescriptor.resolvedPath(path) else { return nil }
            self.init(in: folder, for: "file\0" + resolved, state)
        }
    }

    /// The index of what is behind a URL.
    ///
    /// - Parameter state: What the server calls the present state.
    /// - Returns: `nil` beside URLs, where there is no place.
    init?(_ place: TimeIndexPlace, forURL url: String, state: String) {
        guard case .folder(let folder) = place else { return nil }
        self.init(in: folder, for: "url\0" + url, { state })
    }

    /// Of many sources, 256 folders hold a part each.
    private init?(in folder: String, for name: String, _ state: @escaping () -> String?) {
        guard let digest = SHA256.digest(of: Array(name.utf8)) else { return nil }
        let digits = digest.prefix(16).map { byte in
            let text = String(byte, radix: 16)
            return text.utf8.count == 1 ? "0" + text : text
        }
        let place = folder.hasSuffix("/") ? folder : folder + "/"
        let file = digits[0] + "/" + digits.dropFirst().joined() + TimeIndexPlace.suffix
        self.init(at: place + file, for: name, state)
    }

    private init?(at path: String, for name: String, _ state: @escaping () -> String?) {
        guard let stateBefore = state(), let identity = SHA256.digest(of: Array((name + "\0" + stateBefore).utf8))
        else { return nil }
        self.path = path
        self.identity = identity
        self.state = state
        self.stateBefore = stateBefore
    }

    private static func state(ofFile path: String) -> String? {
        guard let file = try? FileDescriptor.open(forReading: path), case .regular(let length) = try? file.kind(),
            let modified = file.modified()
        else { return nil }
        return "\(length) \(modified)"
    }

    /// What is known of the source; `nil` for nothing, for what can't be read, and for what is about another state of it.
    func load() -> TimeIndex? {
        guard let file = try? FileDescriptor.open(forReading: path), case .regular(let length) = try? file.kind(),
            length <= TimeIndex.longestFile
        else { return nil }
        let source = FileByteSource(file, length: length)
        guard let bytes = try? source.readAll(length: Int(length)) else { return nil }
        return TimeIndex(bytes, for: identity)
    }

    /// Keeps what was learned, with what others learned meanwhile.
    ///
    /// - Parameter replaces: Whether nothing of what is there may stay.
    /// - Returns: False where the source is no longer what it was, so that nothing is known of it.
    /// - Throws: ``SnapError`` with code `cannot-write`.
    func keep(_ learned: TimeIndex, replaces: Bool) throws(SnapError) -> Bool {
        guard state() == stateBefore else { return false }
        var index = learned
        if !replaces, let there = load(), !index.learn(there) { index = learned }
        try OutputFile.write(index.encoded(for: identity), to: path)
        return true
    }
}

extension FileByteSource {
    fileprivate func readAll(length: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            while count < length {
                let rest = UnsafeMutableRawBufferPointer(buffer)[count..<length]
                let read = try read(into: UnsafeMutableRawBufferPointer(rebasing: rest), at: Int64(count))
                if read == 0 { break }
                count += read
            }
        }
    }
}
