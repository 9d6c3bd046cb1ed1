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
        try checkTerminals()
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
            switch error {
            case .readerGone: return ExitStatus.readerGone
            case .failed(let error):
                Console.say(error.description)
                return error.exitCode
            }
        }
        return tally.exitCode
    }

    private func checkTerminals() throws(SnapError) {
        if order.destination == .standardOutput, Console.outputIsTerminal {
            throw SnapError(.usage, "a picture is not written to a terminal: name a file with -o, or add a pipe")
        }
        let readsInput = order.sources.contains { if case .standardInput = $0 { true } else { false } }
        if readsInput, Console.inputIsTerminal {
            throw SnapError(.usage, "standard input is a terminal: pipe a video into it, or name one")
        }
    }
}
