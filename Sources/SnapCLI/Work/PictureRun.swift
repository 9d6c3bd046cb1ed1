import Snap

/// Does what was ordered, video by video.
struct PictureRun {
    private let order: PictureOrder
    private let unfinished: UnfinishedFiles

    init(_ order: PictureOrder, unfinished: UnfinishedFiles) {
        self.order = order
        self.unfinished = unfinished
    }

    /// - Returns: The exit code.
    /// - Throws: ``SnapError`` with code `usage`, before any work begins.
    func run() async throws(SnapError) -> Int32 {
        try Console.checkInput(for: order.sources)
        if order.destination == .standardOutput, Console.outputIsTerminal {
            throw SnapError(.usage, "a picture is not written to a terminal: name a file with -o, or add a pipe")
        }
        var claimed = ClaimedPaths(protecting: order.sources)
        var videos: [VideoRun] = []
        for source in order.sources {
            videos.append(try VideoRun(source, order, unfinished: unfinished, claiming: &claimed))
        }
        var tally = Tally()
        do throws(Console.OutputError) {
            for index in videos.indices where !Task.isCancelled {
                try await videos[index].run(claimed: &claimed, tally: &tally)
            }
        } catch {
            return Console.exitCode(for: error)
        }
        return tally.exitCode
    }
}
