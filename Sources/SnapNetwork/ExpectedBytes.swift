/// How much of a resource is likely to be wanted, from its start on: what the first requests for it go by.
package struct ExpectedBytes: Sendable, Hashable {
    /// How long it is likely to be; `nil` where nobody says.
    package var size: Int64?
    /// Whether ``size`` is more than an upper limit, as the bandwidth is that a stream announces.
    package var isSizeSure: Bool
    /// How much of it, of 100.
    package var share: Int64

    package init(size: Int64?, isSizeSure: Bool, share: Int64 = 100) {
        self.size = size
        self.isSizeSure = isSizeSure
        self.share = min(max(share, 0), 100)
    }

    /// What a round trip may cost instead: at 20 Mbit/s and 50 ms as many bytes arrive in two of them.
    private static let worthAsking: Int64 = 262_144

    /// The length to ask for first.
    var first: Int64? {
        guard let size else { return nil }
        let wanted = wanted(of: size)
        // The answer says how long the resource is, so that the next request is right: worth it where this one may be
        // much too long.
        let isAtRisk = !isSizeSure && wanted > Self.worthAsking && size - size / 100 * share > Self.worthAsking
        return isAtRisk ? max(wanted / 3, Self.worthAsking / 2) : wanted
    }

    /// The end of what is wanted of a resource of some length: somewhat more than the share, for key frames come early
    /// in their groups, and the frames behind one tell that it is the one.
    func wanted(of size: Int64) -> Int64 {
        let part = size / 100 * share + size % 100 * share / 100
        return part + part / 32 + size / 25 + 12_288
    }
}
