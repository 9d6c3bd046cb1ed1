import ArgumentParser
import Snap

/// Which frames, as typed.
struct FrameOptions: ParsableArguments {
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Times, separated by commas; may be repeated. (default: auto)", valueName: "times"))
    var at: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "A picture every so often, more than 0, from --from on. On a live stream without --from and --to: the newest frame so often, until stopped (in batch and worker: what is in its window).",
            valueName: "time"))
    var every: String?

    @Option(
        help: ArgumentHelp(
            "So many pictures at equal distances, 1 to 100000; with --every, no more than so many.", valueName: "number"
        ))
    var count: Int?

    @Option(
        help: ArgumentHelp(
            "So many telling pictures that differ, 1 to 100; fewer where fewer differ.", valueName: "number"))
    var distinct: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Where --every, --count or --distinct begins. (default: start)", valueName: "time"))
    var from: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Where --every, --count or --distinct ends. (default: end)", valueName: "time"))
    var to: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How far off the frame may be: 0, 0.5s, -0.2s,+1s or any. (default: 0)", valueName: "time"))
    var tolerance: String?

    @Flag(help: "The key frame at or before the time, the cheapest: as --tolerance any.")
    var keyframe = false

    @Flag(help: "A time past the end is an error, not the last frame.")
    var strict = false

    @Option(help: ArgumentHelp("Which frame instead of a damaged one, if any.", valueName: "choice"))
    var onDamage = DamagePolicy.nearest
}
