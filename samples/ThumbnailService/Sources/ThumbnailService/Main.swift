import Snap

/// Asks the service what clients ask: for one thumbnail, for several, for a video that isn't there; and goes away.
@main
enum Main {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            print("Usage: ThumbnailService video thumbnail.jpg")
            return
        }
        let video = Source(arguments[1])
        let service = ThumbnailService(deadline: .seconds(5))

        // To a file: it appears whole or not at all.
        let snapshot = try await Video(video).snapshot(at: .percent(50))
        let receipt = try await snapshot.write(to: arguments[2])
        print("file:", receipt.status, receipt.actual?.time ?? .zero)

        // As an answer.
        let answer = await service.thumbnail(of: video, at: .seconds(1))
        print("one:", answer.status, answer.note)

        // Several: one of them past the end, which is no end for the others.
        try await service.thumbnails(of: video, at: [.start, .seconds(3600), .end]) { position, answer in
            print("several:", position, answer.status, answer.note)
        }

        // What can't be opened is an answer too.
        let missing = await service.thumbnail(of: .file("no-such-video.mp4"), at: .start)
        print("missing:", missing.status, missing.note)

        // A client that hangs up after the first of a thousand thumbnails: cancelling the task ends the work.
        let (firstSent, signal) = AsyncStream.makeStream(of: Void.self)
        let client = Task {
            let positions = (0..<1000).map { Position.milliseconds($0) }
            try await service.thumbnails(of: video, at: positions) { _, _ in signal.yield() }
        }
        for await _ in firstSent.prefix(1) { client.cancel() }
        let ending = await client.result
        print("hung up:", ending)
    }
}
