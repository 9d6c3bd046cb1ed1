import Snap

/// The paths that pictures of a batch were written to: none replaces another one's; ``NameTurns`` says who is first.
///
/// It keeps some 40 bytes of each, whatever their length, so that millions fit into memory.
struct ClaimedOutputs {
    /// The numbers of the inputs that have written a picture there.
    private var owners: [Fingerprint: Int] = [:]
    /// What was written in earlier runs and is still there, with the name of the input.
    private var earlier: [Fingerprint: UInt64] = [:]
    private var paths = ResolvedPaths()

    /// Takes a path for an input, which may take it again, also in a later run.
    ///
    /// - Returns: Whether it can be had.
    mutating func claim(_ path: String, for item: BatchItem) -> Bool {
        let key = key(path)
        if let owner = earlier[key], owner != Fingerprint(item.name).low { return false }
        if let owner = owners[key] { return owner == item.index }
        owners[key] = item.index
        return true
    }

    /// Keeps a path for an input of that name, which had it in an earlier run.
    ///
    /// - Returns: What the path is known by.
    mutating func reserve(_ path: String, for input: String) -> Fingerprint {
        let key = key(path)
        earlier[key] = Fingerprint(input).low
        return key
    }

    /// Keeps a path for an input that is left out, as it was done before.
    mutating func keep(_ path: Fingerprint, for item: BatchItem) { owners[path] = item.index }

    /// What a path is known by, however it is spelled.
    mutating func key(_ path: String) -> Fingerprint { Fingerprint(paths.resolve(path)) }
}
