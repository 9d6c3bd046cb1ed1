import Snap

/// Following a live stream: a picture every so often, until it ends or somebody stops it.
extension VideoRun {
    /// - Returns: `nil` for a video that is not live, and for a range of a stream's window.
    func liveSnapshots(of video: Video) async throws(SnapError) -> LiveSnapshots? {
        guard order.followsLive, let product = order.products.first, case .series(let series) = product.wanted,
            case .every(let distance) = series.spacing, try await video.isLive(options: product.snapshot)
        else { return nil }
        guard order.sources.count == 1 || series.limit != nil else {
            throw SnapError(
                .usage, source: source.name,
                "a live stream is followed until it ends, and other videos would wait for that: name it alone, or add --count"
            )
        }
        return video.liveSnapshots(
            every: .milliseconds(distance.milliseconds), count: series.limit, options: product.snapshot)
    }

    mutating func follow(
        _ pictures: LiveSnapshots, into sink: inout some PictureSink
    ) async throws(Console.OutputError) {
        for await element in pictures {
            let job = job(.live(behind: .zero), index: element.index, 0)
            // Not kept: each has another number and time, and there may be millions.
            let claimed = sink.claimed
            switch element.outcome {
            case .snapshot(let snapshot): try finish(.success(snapshot), job, element.index, &sink)
            case .failure(let error): try finish(.failure(error), job, element.index, &sink)
            case .unchanged(let receipt): try hand(.success(.none(receipt)), job, element.index, &sink)
            }
            sink.claimed = claimed
        }
    }
}
