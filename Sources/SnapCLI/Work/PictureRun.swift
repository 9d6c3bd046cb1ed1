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
    /// - Throws: ``SnapError`` with code `usage` or `cannot-write`, before any work begins.
    func run() async throws(SnapError) -> Int32 {
        try Console.checkInput(for: order.sources)
        try order.video.timeIndex?.prepare()
        if order.products.contains(where: { $0.destination == .asker }), Console.outputIsTerminal {
            throw SnapError(.usage, "a picture is not written to a terminal: name a file with -o, or add a pipe")
        }
        var sink = CommandSink(order, unfinished: unfinished)
        var videos: [VideoRun] = []
        for source in order.sources { videos.append(try VideoRun(source, order, claiming: &sink.claimed)) }
        do throws(Console.OutputError) {
            for index in videos.indices where !Task.isCancelled {
                let source = videos[index].source
                sink.begin(source)
                try await videos[index].run(into: &sink) { () throws(SnapError) in
                    try await Video(source, options: order.video)
                }
            }
        } catch {
            return Console.exitCode(for: error)
        }
        return sink.tally.exitCode
    }
}
