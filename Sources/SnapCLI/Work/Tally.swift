/// How the parts of a call ended: each picture, or a video as a whole that can't be opened.
struct Tally {
    private var successes = 0
    private var failures = 0
    private var firstFailure = ExitStatus.success

    mutating func succeeded() { successes += 1 }

    mutating func failed(_ exitCode: Int32) {
        if failures == 0 { firstFailure = exitCode }
        failures += 1
    }

    /// A single failure has its own code; several together say whether something was left.
    var exitCode: Int32 {
        if failures == 0 { return ExitStatus.success }
        if successes > 0 { return ExitStatus.someFailed }
        return failures == 1 ? firstFailure : ExitStatus.allFailed
    }
}
