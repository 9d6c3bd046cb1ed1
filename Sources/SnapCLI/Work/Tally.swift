/// How the parts of a call ended: each picture, or a video as a whole that can't be opened.
struct Tally {
    private var successes = 0
    private var failures: [Int32] = []

    mutating func succeeded() { successes += 1 }

    mutating func failed(_ exitCode: Int32) { failures.append(exitCode) }

    /// A single failure has its own code; several together say whether something was left.
    var exitCode: Int32 {
        if failures.isEmpty { return ExitStatus.success }
        if successes > 0 { return ExitStatus.someFailed }
        return failures.count == 1 ? failures[0] : ExitStatus.allFailed
    }
}
