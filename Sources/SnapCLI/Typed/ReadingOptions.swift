import ArgumentParser

/// How videos are read, and the limits, as typed.
struct ReadingOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("For each picture, opening included: 30s, 2m; 0 for none.", valueName: "time"))
    var timeout = "30s"

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The most pixels of a picture; k, M and G count in 1024s.", valueName: "number"))
    var maxPixels = "128M"

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The most bytes read from a network or pipe; k, M, G as above.", valueName: "number"))
    var maxBytes = "4G"

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Sent to the server of the URL only; may be repeated.", valueName: "'name: value'"))
    var header: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Sent to servers. (default: snap/ and the version)", valueName: "name"))
    var userAgent: String?

    @Flag(help: "Let a public URL lead to a private, loopback or link-local address.")
    var allowPrivate = false

    @Option(
        name: .customLong("cacert"), parsing: .unconditional,
        help: ArgumentHelp("Certificate authorities (PEM) to trust instead of the system's.", valueName: "file"),
        completion: .file())
    var certificateFile: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Keep where key frames lie in this folder, or 'beside' each file, for the next visit.", valueName: "folder"),
        completion: .directory)
    var index: String?

    @Option(help: ArgumentHelp("Decoder threads, 1 to 64. (default: the cores, at most 4)", valueName: "number"))
    var threads: Int?
}
