import Snap

/// Asks the service what clients ask: for one thumbnail, for several, for a video that isn't there; and goes away.
@main
enum Main {
    static func main() async throws {
        guard CommandLine.arguments.count == 3 else {
            print("Usage: ThumbnailService video thumbnail.jpg")
            return
        }
        let (video, file) = (Source(CommandLine.arguments[1]), CommandLine.arguments[2])
        let service = ThumbnailService(deadline: .seconds(5))

        // A file, without the service: it appears whole or not at all.
        let receipt = try await Video(video).snapshot(at: .percent(50)).write(to: file)
        print("file:", receipt.status, receipt.actual?.time ?? .zero)

        let one = await service.thumbnail(of: video, at: .seconds(1))
        print("one:", one.status, one.note)

        let missing = await service.thumbnail(of: .file("no-such-video.mp4"), at: .start)
        print("missing:", missing.status, missing.note)

        // One of these is past the end, which is no end for the others.
        for await (position, answer) in try await service.thumbnails(of: video, at: [.end, .seconds(3600), .start]) {
            print("several:", position, answer.status, answer.note)
        }

        // A client that hangs up after the first of a thousand: cancelling its task ends the work for it.
        let client = Task {
            var sent = 0
            let positions = (0..<1000).map { Position.milliseconds($0) }
            for await _ in try await service.thumbnails(of: video, at: positions) {
                if Task.isCancelled { break }
                sent += 1
                withUnsafeCurrentTask { $0?.cancel() }
            }
            return sent
        }
        print("hung up after:", try await client.value)
    }
}
