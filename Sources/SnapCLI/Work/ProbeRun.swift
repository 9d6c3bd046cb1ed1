import Snap

/// Tells what is in videos, one after the other.
struct ProbeRun {
    private let order: ProbeOrder

    init(_ order: ProbeOrder) { self.order = order }

    /// - Returns: The exit code.
    /// - Throws: ``SnapError`` with code `usage` or `cannot-write`, before any work begins.
    func run() async throws(SnapError) -> Int32 {
        try Console.checkInput(for: order.sources)
        try order.video.timeIndex?.prepare()
        var tally = Tally()
        do throws(Console.OutputError) {
            for source in order.sources where !Task.isCancelled { try await probe(source, &tally) }
        } catch {
            return Console.exitCode(for: error)
        }
        return tally.exitCode
    }

    private func probe(_ source: Source, _ tally: inout Tally) async throws(Console.OutputError) {
        let info: VideoInfo
        do throws(SnapError) {
            info = try await Video(source, options: order.video).info()
        } catch {
            if error.code == .cancelled { return }
            tally.failed(error.exitCode)
            Console.say(error.description)
            if order.printsJSON { try Console.printLine(Self.json(error, source)) }
            return
        }
        try Console.printLine(order.printsJSON ? info.json : Self.text(info))
        tally.succeeded()
    }

    private static func text(_ info: VideoInfo) -> String {
        var info = info
        info.source = Console.visible(info.source)
        return info.description
    }

    private static func json(_ error: SnapError, _ source: Source) -> String {
        JSONValue.object(
            JSONValue.path("source", source.name) + [
                ("status", .string("failed")), ("code", .string(error.code.rawValue)),
                ("message", .string(error.sentence(about: source.name))),
            ]
        ).text
    }
}
