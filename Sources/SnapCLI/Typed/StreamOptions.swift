import ArgumentParser
import Snap

/// How HLS streams are read, as typed.
struct StreamOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "auto, min, max, a place (0), a size (1280x720) or bits a second; auto: by the size of the picture.",
            valueName: "choice"))
    var variant = "auto"

    @Option(help: ArgumentHelp("What times count by: declared durations or timestamps.", valueName: "clock"))
    var timeline = StreamTimeline.playlist

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How old the newest frame of a live stream may be. (default: any)", valueName: "time"))
    var maxAge: String?
}
