import ArgumentParser

/// What was typed to see what is in videos; ``ProbeOrder`` is what is to be done.
struct ProbeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        _superCommandName: SnapCommand.name,
        abstract: "Tell what is in videos, and what snap would do about it.",
        usage: "snap probe [<options>] <input> ...",
        version: SnapCommand.version)

    @Argument(
        help: "Files, http:// or https:// URLs, HLS playlists (.m3u8), or - for standard input; each is done in turn.",
        completion: .file())
    var input: [String] = []

    @Flag(help: "One JSON object a video, each on a line.")
    var json = false

    @OptionGroup(title: "HLS streams") var stream: StreamOptions
    @OptionGroup(title: "Reading and limits") var reading: ReadingOptions
}
