import Snap

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension WorkerProcess.Ending {
    /// What an input is told that brought a worker to its end twice.
    func error(for assignment: Assignment, _ order: BatchOrder) -> SnapError {
        let stage = assignment.isOpen ? "while it decoded" : "while it opened the video"
        let code: SnapError.Code =
            switch fault {
            case .hung: .timedOut
            case .tookTooMuchMemory: .tooMuchMemory
            case nil: .crashed
            }
        return SnapError(code, source: assignment.item.name, "\(reason(order)), \(stage); tried twice")
    }

    func reason(_ order: BatchOrder) -> String {
        switch (fault, signal) {
        case (.hung, _): return "the worker did not end in time (--timeout) and was ended"
        case (.tookTooMuchMemory, _):
            return "the worker took more memory than \(order.memoryLimit >> 20) MiB (--max-memory) and was ended"
        case (nil, let signal?):
            let name = signal == SIGKILL ? "killed, perhaps for want of memory" : String(cString: strsignal(signal))
            return "the worker crashed (signal \(signal), \(name)\(words))"
        case (nil, nil): return "the worker ended by itself (exit code \(exitCode)\(words))"
        }
    }

    private var words: String {
        let line = lastWords.split(whereSeparator: \.isNewline).last.map { Console.visible(String($0.prefix(200))) }
        return line.map { ": \($0)" } ?? ""
    }
}
