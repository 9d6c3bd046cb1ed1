import Snap

/// Following a live stream: a picture every so often, until it ends or somebody stops it.
extension VideoRun {
    /// - Returns: `nil` for a video that is not live, and for a range of a stream's window.
    func liveSnapshots(of video: Video, _ series: Series) async throws(SnapError) -> LiveSnapshots? {
        guard order.followsLive, case .every(let distance) = series.spacing,
            try await video.isLive(options: order.snapshot)
        else { return nil }
        guard order.sources.count == 1 || series.limit != nil else {
            throw SnapError(
                .usage, source: source.name,
                "a live stream is followed until it ends, and other videos would wait for that: name it alone, or add --count"
            )
        }
        return video.liveSnapshots(
            every: .milliseconds(distance.milliseconds), count: series.limit, options: order.snapshot)
    }

    mutating func follow(
        _ pictures: LiveSnapshots, _ claimed: ClaimedPaths, _ tally: inout Tally
    ) async throws(Console.OutputError) {
        var stoodStill = false
        for await element in pictures {
            let job = PictureJob(.live(behind: .zero), index: element.index, input: input, format: order.format)
            // Not kept: each has another number and time, and there may be millions.
            var claimed = claimed
            switch element.outcome {
            case .snapshot(let snapshot):
                try finish(.success(snapshot), job, element.index, &claimed, &tally)
                stoodStill = false
            case .failure(let error): try finish(.failure(error), job, element.index, &claimed, &tally)
            case .unchanged(let receipt):
                let standsStill = receipt.code == "stale"
                if standsStill, !stoodStill, order.printsNotes, let message = receipt.message {
                    Console.say("\(source.name): \(message)")
                }
                stoodStill = standsStill
                try pass(over: receipt, element.index, &tally)
            }
        }
    }
}
