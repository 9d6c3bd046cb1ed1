import ArgumentParser
import Snap

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The command, from the words typed to the exit code.
@main
enum Main {
    static func main() {
        // The words typed are read there, and libdispatch ends processes that it can't count the threads of.
        if CommandLine.argc == 0 {
            Console.say("there is no /proc, which Swift's runtime needs: give the sandbox one (bwrap --proc /proc)")
            _exit(ExitStatus.unavailable)
        }
        Allocator.prepare()
        FileDescriptor.openStandard()
        SignalWatch.prepare()
        let unfinished = UnfinishedFiles()
        let watch = SignalWatch()
        let typed = wordsTyped()
        // Loading the libraries takes longer than parsing the words typed, and is begun meanwhile. In a batch, workers do it.
        let isBatch = typed.first == BatchCommand.configuration.commandName
        Task.detached { if !isBatch { Source.loadLibraries(for: typed.lazy.map { Source($0) }) } }
        // Detached: `main` belongs to the main actor, whose thread waits for signals from here on.
        let work = Task.detached {
            let code = await exitCode(of: typed, unfinished)
            // At once: 130 libraries have nothing to finalize that matters, and some may be being initialized just now.
            fflush(nil)
            _exit(watch.receivedSignal.map { ExitStatus.ended(bySignal: $0) } ?? code)
        }
        watch.wait(removing: unfinished) { work.cancel() }
    }

    /// Without the name of the command. `CommandLine.arguments` would not keep the bytes of names that are not UTF-8.
    private static func wordsTyped() -> [String] {
        let words = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        return words.dropFirst().compactMap { $0.map { String(path: $0) } }
    }

    private static func exitCode(of arguments: [String], _ unfinished: UnfinishedFiles) async -> Int32 {
        // The parser takes longer to say it than all the rest of the process takes.
        if arguments == ["--version"] {
            try? Console.printLine(SnapCommand.fullVersion)
            return ExitStatus.success
        }
        do {
            switch try SnapCommand.parse(typed: arguments) {
            case let typed as TakeCommand:
                return try await PictureRun(PictureOrder(typed), unfinished: unfinished).run()
            case let typed as ProbeCommand:
                return try await ProbeRun(ProbeOrder(typed)).run()
            case let typed as BatchCommand:
                return try await BatchRun(BatchOrder(typed), unfinished: unfinished).run()
            case let typed as WorkerCommand:
                return try await WorkerRun(WorkerOrder(typed), unfinished: unfinished).run()
            case var other:
                try other.run()
                return ExitStatus.success
            }
        } catch let error as SnapError {
            Console.say(error.description)
            return error.exitCode
        } catch {
            return answer(error)
        }
    }

    /// What the parser has to say: the help that was asked for, or what is wrong with the words typed.
    private static func answer(_ error: any Error) -> Int32 {
        let status = SnapCommand.exitCode(for: error)
        if status.isSuccess {
            // A reader that has seen enough of the help is no failure.
            let message = SnapCommand.fullMessage(for: error)
            try? Console.printLine(message == SnapCommand.version ? SnapCommand.fullVersion : message)
            return ExitStatus.success
        }
        let message = SnapCommand.message(for: error)
        Console.say(message.prefix(1).lowercased() + message.dropFirst() + " (see snap --help)")
        return ExitStatus.usage
    }
}
