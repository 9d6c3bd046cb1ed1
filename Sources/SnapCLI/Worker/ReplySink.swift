import Snap

/// Pictures of one request go into replies, or to files that replies name.
struct ReplySink: PictureSink {
    let request: WorkRequest
    let channel: ReplyChannel
    let unfinished: UnfinishedFiles
    var claimed: ClaimedPaths
    /// Told before the last reply goes out: from then on, the client may use its id again.
    private let done: @Sendable () -> Void
    /// Whether all was well so far.
    private(set) var isWell = true

    init(
        _ request: WorkRequest, _ channel: ReplyChannel, _ unfinished: UnfinishedFiles,
        done: @escaping @Sendable () -> Void
    ) {
        self.request = request
        self.channel = channel
        self.unfinished = unfinished
        self.done = done
        claimed = ClaimedPaths(protecting: [request.source])
    }

    mutating func finish(_ picture: FinishedPicture) throws(Console.OutputError) {
        let receipt: Receipt
        var content = Reply.Content.none
        do throws(SnapError) {
            let delivery = request.deliveries[picture.job.product]
            (receipt, content) = try deliver(try picture.result.get(), delivery)
        } catch {
            let job = picture.job
            isWell = false
            receipt = Receipt(
                failure: error, source: request.source.name, position: job.position.description,
                requested: job.fields.time)
        }
        if picture.isLast { done() }
        try channel.send(
            Reply(
                id: request.id, picture: picture.index, isLast: picture.isLast, receipt: receipt, content: content))
    }

    private func deliver(
        _ taken: FinishedPicture.Taken, _ delivery: WorkRequest.Delivery
    ) throws(SnapError) -> (Receipt, Reply.Content) {
        switch (taken, delivery) {
        case (.none(let receipt), _): return (receipt, .none)
        case (.picture(let bytes, let receipt), .base64): return (receipt, .base64(bytes))
        case (.picture(let bytes, let receipt), .bytes): return (receipt, .bytes(bytes))
        case (.picture(let bytes, let receipt), .file):
            if let path = receipt.output { try unfinished.write(bytes, to: path) }
            return (receipt, .none)
        }
    }

    mutating func fail(_ error: SnapError, all positions: [String]) throws(Console.OutputError) {
        isWell = false
        done()
        try channel.send(Reply(failing: request.id, error, source: request.source.name, position: positions.first))
    }
}
