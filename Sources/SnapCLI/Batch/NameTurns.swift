/// Whose turn it is, of inputs whose pictures may have one name.
///
/// They are worked on one after the other, as they were listed: so the first has the name, however many inputs are in
/// work at a time.
struct NameTurns {
    /// The sequences of the inputs that have not ended, ascending, by what their pictures are expected to be called.
    private var claimants: [Fingerprint: [Int]] = [:]

    /// Puts an input behind the others.
    mutating func add(_ assignment: Assignment) {
        for name in assignment.names { claimants[name, default: []].append(assignment.sequence) }
    }

    /// Whether no input before it may have one of its names.
    func isTurn(of assignment: Assignment) -> Bool {
        assignment.names.allSatisfy { claimants[$0]?.first == assignment.sequence }
    }

    /// An input has ended.
    mutating func end(_ assignment: Assignment) {
        for name in assignment.names {
            claimants[name]?.removeAll { $0 == assignment.sequence }
            if claimants[name]?.isEmpty == true { claimants[name] = nil }
        }
    }
}
