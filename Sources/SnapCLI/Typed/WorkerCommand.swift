import ArgumentParser

/// What was typed to have requests answered; ``WorkerRun`` does it.
struct WorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        _superCommandName: SnapCommand.name,
        abstract: "Answer requests from other programs: JSON lines in, JSON lines out.",
        usage: "snap worker [<options>]",
        discussion: """
            Reads a request a line from standard input and writes a reply a line to standard output; see \
            docs/worker.md. All options are the defaults of requests, which can name others.

            EXAMPLE:
              echo '{"id":1,"source":"video.mp4","at":"50%","output":"middle.jpg"}' | snap worker
            """,
        version: SnapCommand.version)

    @Option(
        name: [.customShort("j", allowingJoined: true), .long],
        help: ArgumentHelp("Requests worked on at a time, 1 to 256. (default: the cores)", valueName: "number"))
    var jobs: Int?

    @Option(help: ArgumentHelp("Videos that stay open after use, 0 to 256.", valueName: "number"))
    var keepOpen = 4

    @Option(help: .hidden)
    var defaults: String?

    @Flag(help: .hidden)
    var supervised = false

    @OptionGroup var options: TypedOptions
}
