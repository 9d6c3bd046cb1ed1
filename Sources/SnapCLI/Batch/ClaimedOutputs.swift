import Snap

/// The paths that pictures of a batch were written to: none replaces another one's.
///
/// It keeps some 40 bytes of each, whatever their length, so that millions fit into memory.
struct ClaimedOutputs {
    private var owners: [Fingerprint: UInt64] = [:]

    /// Takes a path for an input, which may take it again.
    ///
    /// - Returns: Whether it can be had.
    mutating func claim(_ path: String, for owner: UInt64) -> Bool {
        let key = Fingerprint(ClaimedPaths.normalized(path))
        if let other = owners[key] { return other == owner }
        owners[key] = owner
        return true
    }
}
