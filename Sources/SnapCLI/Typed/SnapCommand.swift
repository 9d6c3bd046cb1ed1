import ArgumentParser
import Snap

/// The command line as a whole. What is typed without the name of a subcommand goes to ``TakeCommand``.
struct SnapCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snap",
        abstract: "Take exact pictures out of videos.",
        version: "snap \(Version.current)\nFFmpeg \(Version.ffmpeg)",
        subcommands: [TakeCommand.self, ProbeCommand.self],
        defaultSubcommand: TakeCommand.self)

    /// The words that are meant for the whole command; all others belong to ``TakeCommand``.
    ///
    /// ArgumentParser would find a default subcommand by itself, but answers `snap --help` with the help of the whole,
    /// which has no options, and takes a video for a subcommand if it is called like one.
    static func arguments(_ typed: [String]) -> [String] {
        guard let first = typed.first else { return [TakeCommand.name] }
        if typed == ["help"] { return [TakeCommand.name, "--help"] }
        let own = ["help", "--generate-completion-script", "--experimental-dump-help", "---completion"]
        let names = configuration.subcommands.map { $0._commandName }
        let isOwn = (names + own).contains(first) || own.contains { first.hasPrefix("\($0)=") }
        return isOwn ? typed : [TakeCommand.name] + typed
    }
}
