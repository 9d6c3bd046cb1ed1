import Snap

/// How the inputs of a batch ended, so far.
struct BatchTally {
    var done = 0
    /// Left out, for an earlier run has done them.
    var doneBefore = 0
    /// Left out, for they failed in an earlier run.
    var failedBefore = 0
    private(set) var failures: [String: Int] = [:]
    /// Of all inputs that were read.
    var bytesRead: Int64 = 0
    /// Of all inputs, where it is known.
    var total: Int?
    let start = ContinuousClock.now

    mutating func fail(_ code: String) { failures[code, default: 0] += 1 }

    var failed: Int { failures.values.reduce(0, +) }
    var finished: Int { done + doneBefore + failedBefore + failed }

    var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }
    /// Inputs worked on in a second.
    var rate: Double { Double(done + failed) / max(seconds, 0.001) }
    /// In seconds; `nil` while it can't be told.
    var timeLeft: Double? {
        guard let total, rate > 0 else { return nil }
        return Double(max(total - finished, 0)) / rate
    }

    var exitCode: Int32 {
        if failed + failedBefore == 0 { return ExitStatus.success }
        return done + doneBefore > 0 ? ExitStatus.someFailed : ExitStatus.allFailed
    }

    /// `9,500 done, 500 failed (300 not-media, 200 not-found) in 95.1 s: 105 files/s, 210 MB/s`
    var summary: String {
        var parts = ["\(done.grouped) done"]
        if doneBefore > 0 { parts.append("\(doneBefore.grouped) done before") }
        if failed > 0 {
            let causes = failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            let list = causes.map { "\($0.value.grouped) \($0.key)" }.joined(separator: ", ")
            parts.append("\(failed.grouped) failed (\(list))")
        }
        if failedBefore > 0 { parts.append("\(failedBefore.grouped) failed before") }
        let megabytes = Double(bytesRead) / 1e6 / max(seconds, 0.001)
        return parts.joined(separator: ", ")
            + " in \(seconds.rounded(places: 1)) s: \(rate.brief) files/s, \(megabytes.brief) MB/s"
    }

    var json: JSONValue {
        .object([
            ("done", JSONValue(done)), ("doneBefore", JSONValue(doneBefore)), ("failedBefore", JSONValue(failedBefore)),
            ("failed", JSONValue(failed)),
            ("failures", .object(failures.sorted { $0.key < $1.key }.map { ($0.key, JSONValue($0.value)) })),
            ("total", JSONValue(total)), ("seconds", .string(seconds.decimal(places: 1))),
            ("filesPerSecond", .string(rate.decimal(places: 1))), ("bytesRead", .integer(bytesRead)),
            ("secondsLeft", JSONValue(timeLeft.map { Int($0.rounded()) })),
        ])
    }
}

extension Int {
    /// `9,500`
    var grouped: String {
        let digits = Array(String(self))
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }
}

extension Double {
    /// `9500.5`, for programs.
    func decimal(places: Int) -> String {
        let (whole, fraction) = parts(places)
        return "\(whole).\(fraction)"
    }

    /// `9,500.5`, for people.
    func rounded(places: Int) -> String {
        let (whole, fraction) = parts(places)
        return "\(whole.grouped).\(fraction)"
    }

    /// Whole from 10 on.
    var brief: String { self >= 9.95 ? Int(rounded()).grouped : rounded(places: 1) }

    private func parts(_ places: Int) -> (whole: Int, fraction: String) {
        let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
        let value = Int((self * Double(scale)).rounded())
        let digits = String(value % scale)
        return (value / scale, String(repeating: "0", count: places - digits.count) + digits)
    }
}
