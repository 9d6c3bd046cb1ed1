import ArgumentParser

/// What was typed to take pictures of many videos; ``BatchOrder`` is what is to be done.
struct BatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        _superCommandName: SnapCommand.name,
        abstract: "Take pictures of any number of videos, on all cores.",
        usage: "snap batch [<options>] <input> ...",
        discussion: """
            Videos are done by worker processes, so that one that crashes, hangs or swallows memory costs itself and \
            nothing else. Every input is accounted for: by a path or a receipt on standard output, or by a sentence on \
            standard error. Ctrl-C stops at once; with a journal, --resume goes on later.

            EXAMPLES:
              snap batch *.mp4 --at 10% --size 320 -o thumbs/
              snap batch -r films -o 'thumbs/{dir}/{stem}.jpg' --journal thumbs.jsonl
              snap batch -r films -o 'thumbs/{dir}/{stem}.jpg' --journal thumbs.jsonl --resume
              find . -name '*.mp4' -print0 | snap batch -0 --from-file - --keyframe -o thumbs/
              snap batch --manifest jobs.jsonl --ndjson

            EXIT CODES:
              0 all done   1 all failed   3 some failed   130, 143 interrupted
              where the batch itself can't go on:
              64 usage   66 no such list   73 can't write   141 nobody reads the output
            """,
        version: SnapCommand.version)

    @Argument(help: "Files, http:// or https:// URLs, and with -r folders.", completion: .file())
    var input: [String] = []

    @OptionGroup(title: "What is done") var batch: BatchOptions
    @OptionGroup var options: TypedOptions
}

/// Which videos, how many at a time, and what is kept of it, as typed.
struct BatchOptions: ParsableArguments {
    @Flag(
        name: .shortAndLong,
        help: "Take the videos in folders, too, however deep: by their extension, else by their content.")
    var recursive = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("A list of inputs, one a line; - is standard input.", valueName: "list"),
        completion: .file())
    var fromFile: String?

    @Flag(name: [.customShort("0"), .long], help: "The list's inputs end with NUL bytes, as find -print0 writes them.")
    var null = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("A job a line, in JSON (docs/batch.md); - is standard input.", valueName: "file"),
        completion: .file())
    var manifest: String?

    @Option(
        name: [.customShort("j", allowingJoined: true), .long],
        help: ArgumentHelp("Videos decoded at a time, 1 to 1024. (default: the cores)", valueName: "number"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "URLs opened at a time, 1 to 1024. (default: four times the cores)", valueName: "number"))
    var networkJobs: Int?

    @Option(help: ArgumentHelp("URLs of one host worked on at a time.", valueName: "number"))
    var perHost = 8

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The most memory of a worker; k, M and G count in 1024s.", valueName: "size"))
    var maxMemory = "2G"

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Keep what was done in this file, a line an input.", valueName: "file"),
        completion: .file())
    var journal: String?

    @Flag(help: "Leave out what the journal says was done, or failed, with the same options and files.")
    var resume = false

    @Flag(help: "As --resume, but do what failed again.")
    var retryFailed = false

    @Flag(help: "Output in the order of the inputs, not as they are ready.")
    var ordered = false

    @Option(help: ArgumentHelp("On standard error; auto: a line that moves, on a terminal.", valueName: "kind"))
    var progress = ProgressKind.auto

    @Flag(help: "Stop at the first failure.")
    var failFast = false

    @Option(help: ArgumentHelp("Stop when more inputs than this have failed.", valueName: "number"))
    var maxFailures: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only the inputs of one part of several, 1/16 to 16/16, by their names.", valueName: "part"))
    var shard: String?
}

enum ProgressKind: String, Sendable, Choice {
    case auto, json, none
}
