import Snap

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Says on standard error how far a batch is: a line that moves, for people at a terminal, or JSON for programs.
struct BatchProgress {
    private enum Kind { case line, json, none }

    private let kind: Kind
    private let distance: Duration
    private var shownAt: ContinuousClock.Instant?
    private var isVisible = false

    init(_ typed: ProgressKind) {
        kind =
            switch typed {
            case .auto: isatty(2) == 1 ? .line : .none
            case .json: .json
            case .none: .none
            }
        distance = kind == .line ? .milliseconds(200) : .seconds(1)
    }

    /// To be called often.
    mutating func show(_ tally: BatchTally) {
        if kind == .none { return }
        if let shownAt, .now - shownAt < distance { return }
        shownAt = .now
        if kind == .json { return write(tally.json.text + "\n") }
        isVisible = true
        write("\r\u{1b}[K" + Self.line(tally))
    }

    private static func line(_ tally: BatchTally) -> String {
        var parts: [String] = []
        if let total = tally.total, total > 0 {
            let filled = min(20, tally.finished * 20 / total)
            let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 20 - filled)
            parts.append("\(bar) \(tally.finished.grouped)/\(total.grouped)")
        } else {
            parts.append(tally.finished.grouped)
        }
        parts.append("\(tally.rate.brief)/s")
        if let left = tally.timeLeft { parts.append("\(clock(left)) left") }
        if tally.failed > 0 { parts.append("\(tally.failed.grouped) failed") }
        return parts.joined(separator: "  ")
    }

    /// `2:05`, `1:02:05`
    private static func clock(_ seconds: Double) -> String {
        let whole = Int(min(seconds, 1e9).rounded(.up))
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
    }

    /// Makes room for another line.
    mutating func hide() {
        if isVisible { write("\r\u{1b}[K") }
        isVisible = false
        if kind == .line { shownAt = nil }
    }

    /// It is over.
    mutating func close(_ tally: BatchTally) {
        hide()
        if kind == .json { write(tally.json.text + "\n") }
    }

    private func write(_ text: String) {
        Array(text.utf8).withUnsafeBytes { try? FileDescriptor(2, closes: false).write($0) }
    }
}
