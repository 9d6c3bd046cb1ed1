/// What tells one state of a resource from another, as responses say it.
///
/// Compared after the fact, not by If-Range: a server that doesn't know If-Range would give bytes of the new state.
struct ResourceVersion: Sendable, Hashable {
    var size: Int64?
    var entityTag: String?
    var lastModified: String?

    init(_ head: ResponseHead, size: Int64?) {
        self.size = size
        entityTag = head["etag"]
        lastModified = head["last-modified"]
    }

    /// Whether both can be states of the same bytes. What only one of them says is no difference.
    func matches(_ other: ResourceVersion) -> Bool {
        func agree<T: Equatable>(_ left: T?, _ right: T?) -> Bool { left == nil || right == nil || left == right }
        guard agree(size, other.size), agree(entityTag, other.entityTag) else { return false }
        // An equal tag says more than a time, which servers behind one name may give differently.
        if entityTag != nil, other.entityTag != nil { return true }
        return agree(lastModified, other.lastModified)
    }

    /// The length, and the best that tells states of one length apart; `nil` where nothing is known.
    var text: String? {
        let parts = [size.map(String.init), entityTag ?? lastModified].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    /// The same, where it tells states of one length apart; `nil` otherwise.
    var distinctText: String? { size != nil && (entityTag ?? lastModified) != nil ? text : nil }

    /// Adds what this one doesn't say.
    mutating func complete(with other: ResourceVersion) {
        size = size ?? other.size
        entityTag = entityTag ?? other.entityTag
        lastModified = lastModified ?? other.lastModified
    }
}
