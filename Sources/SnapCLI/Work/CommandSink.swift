import Snap

/// Pictures go to files or standard output, lines to standard output, and talk to standard error.
struct CommandSink: PictureSink {
    let order: PictureOrder
    private let unfinished: UnfinishedFiles
    var claimed: ClaimedPaths
    private(set) var tally = Tally()

    private(set) var source = Source.bytes([])
    private var lines = OrderedLines()
    /// What has been said of the video; a server without byte ranges is worth one line, not one for each picture.
    var notesSaid: Set<String> = []
    /// Whether it has been said that the stream stands still.
    var stoodStill = false

    init(_ order: PictureOrder, unfinished: UnfinishedFiles) {
        self.order = order
        self.unfinished = unfinished
        claimed = ClaimedPaths(protecting: order.sources)
    }

    /// What comes next is about another video.
    mutating func begin(_ source: Source) {
        self.source = source
        lines = OrderedLines()
        notesSaid = []
        stoodStill = false
    }

    mutating func finish(_ picture: FinishedPicture) throws(Console.OutputError) {
        let receipt: Receipt
        do throws(SnapError) { receipt = try deliver(try picture.result.get()) } catch {
            return try fail(picture, error)
        }
        say(notesOn: receipt, picture)
        if case .success(.picture(let bytes, _)) = picture.result, receipt.output == nil { try Console.write(bytes) }
        let isTaken = receipt.status != .skipped
        try lines.finish(
            picture.index, with: order.printsReceipts ? receipt.json : isTaken ? receipt.output : nil)
        tally.succeeded()
    }

    private func deliver(_ taken: FinishedPicture.Taken) throws(SnapError) -> Receipt {
        switch taken {
        case .none(let receipt): return receipt
        case .picture(let bytes, let receipt):
            if let path = receipt.output { try unfinished.write(bytes, to: path) }
            return receipt
        }
    }

    private mutating func fail(_ picture: FinishedPicture, _ error: SnapError) throws(Console.OutputError) {
        // A signal ends the command; there is nothing to tell of each picture then.
        if error.code == .cancelled { return }
        say(error, picture.isAlone ? nil : picture.job)
        let receipt = Receipt(
            failure: error, source: source.name, position: picture.job.position.description,
            requested: picture.job.fields.time)
        try lines.finish(picture.index, with: order.printsReceipts ? receipt.json : nil)
        tally.failed(error.exitCode)
    }

    mutating func fail(_ error: SnapError, all positions: [String]) throws(Console.OutputError) {
        if error.code == .cancelled { return }
        say(error, nil)
        tally.failed(error.exitCode)
        guard order.printsReceipts else { return }
        for (index, position) in positions.enumerated() {
            try lines.finish(index, with: Receipt(failure: error, source: source.name, position: position).json)
        }
    }
}
