import ArgumentParser

/// Where pictures go and what is told of them, as typed.
struct OutputOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp(
            "A file, a name with {fields}, a folder, or - for standard output. (default: {stem}-{time}.{ext})",
            valueName: "path"),
        completion: .file())
    var output: String?

    @Flag(help: "Don't take a picture whose file is there already.")
    var skipExisting = false

    @Flag(
        name: [.customLong("json"), .customLong("ndjson")],
        help: "Print a receipt for each picture on standard output, one JSON object a line, instead of paths.")
    var json = false

    @Flag(help: "No notes on standard error; errors are still told.")
    var quiet = false
}
