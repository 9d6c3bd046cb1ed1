import ArgumentParser
import Snap

/// The command line as a whole. What is typed without the name of a subcommand goes to ``TakeCommand``.
struct SnapCommand: ParsableCommand {
    static let name = "snap"

    /// Without FFmpeg's, which would have to be loaded first: the parser wants it in any case.
    static let version = "snap \(Version.current)"
    static var fullVersion: String { "\(version)\nFFmpeg \(Version.ffmpeg)" }

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Take exact pictures out of videos.",
        version: version,
        subcommands: [TakeCommand.self, BatchCommand.self, ProbeCommand.self, WorkerCommand.self],
        defaultSubcommand: TakeCommand.self)

    /// The words that are meant for the whole command.
    private static let own = ["help", "--generate-completion-script", "--experimental-dump-help", "---completion"]

    /// What was typed, as the subcommand that it is for.
    ///
    /// ArgumentParser would find a subcommand by itself, but answers `snap --help` with the help of the whole, which
    /// has no options, takes a video for a subcommand if it is called like one, and lists every option three times on
    /// the way, which costs some 5 ms of each start. The subcommands name the whole as their super-command, or else it would
    /// first parse all that was typed twice, in search of `--generate-completion-script`.
    static func parse(typed: [String]) throws -> any ParsableCommand {
        guard let first = typed.first else { return try TakeCommand.parseAsRoot([]) }
        if typed == ["help"] { return try TakeCommand.parseAsRoot(["--help"]) }
        if own.contains(where: { first == $0 || first.hasPrefix("\($0)=") }) { return try parseAsRoot(typed) }
        guard let named = configuration.subcommands.first(where: { $0._commandName == first }) else {
            return try TakeCommand.parseAsRoot(typed)
        }
        return try named.parseAsRoot(Array(typed.dropFirst()))
    }
}
