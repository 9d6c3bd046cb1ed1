import Dispatch
import Snap

/// Answers requests until there are none: a thread reads them, and so many tasks work on them.
struct WorkerRun {
    private let order: WorkerOrder
    private let unfinished: UnfinishedFiles
    private let channel = ReplyChannel()
    private let queue = WorkQueue()
    private let shelf: VideoShelf
    /// With a supervisor.
    private let core: LentCore?

    init(_ order: WorkerOrder, unfinished: UnfinishedFiles) {
        self.order = order
        self.unfinished = unfinished
        core = order.isSupervised ? LentCore(channel) : nil
        shelf = VideoShelf(limit: order.keptVideos, turn: core)
    }

    /// - Returns: The exit code.
    /// - Throws: ``SnapError`` with code `cannot-write`, before any request is read.
    func run() async throws(SnapError) -> Int32 {
        try order.timeIndex?.prepare()
        TestFault.strikeAtStart()
        do throws(Console.OutputError) { try channel.send(line: greeting) } catch { end(error) }
        DispatchQueue(label: "snap.requests").async { read() }
        await withTaskGroup { group in
            for _ in 0..<order.jobs { group.addTask { await work() } }
        }
        return ExitStatus.success
    }

    private var greeting: JSONValue {
        .object([
            ("snap", .string(Version.current)), ("protocol", .integer(1)), ("jobs", JSONValue(order.jobs)),
            ("ffmpeg", .string(Version.ffmpeg)),
        ])
    }

    /// Nobody reads replies any longer: nothing that is still done would be of use.
    private func end(_ error: Console.OutputError) -> Never {
        unfinished.removeAndExit(Console.exitCode(for: error))
    }

    // MARK: Requests

    private func read() {
        var lines = LineReader(FileDescriptor(0, closes: false))
        while let line = try? lines.next() {
            switch line {
            case .text(let bytes):
                // An empty line is no request, and no mistake worth a reply.
                if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) { continue }
                take(WorkLine(bytes, defaults: order.defaults, supervised: order.isSupervised))
            case .tooLong: take(.mistake(nil, SnapError(.usage, "the line is longer than 4 MiB")))
            }
        }
        // Whoever supervises it is gone, and nobody waits for what is still in work.
        if order.isSupervised { unfinished.removeAndExit(ExitStatus.success) }
        queue.end()
    }

    private func take(_ line: WorkLine) {
        switch line {
        case .cancel(let id): queue.cancel(id)
        case .core: core?.lend()
        case .mistake(let id, let error): reply(Reply(failing: id, error))
        case .request(let request):
            if !queue.add(request) {
                // Not under that id, for its last reply is still to come.
                let id = request.id.json.text
                reply(Reply(failing: nil, SnapError(.usage, "a request with the id \(id) is not done yet")))
            }
        }
    }

    private func reply(_ reply: Reply) {
        do throws(Console.OutputError) { try channel.send(reply) } catch { end(error) }
    }

    // MARK: Work

    private func work() async {
        while let request = await queue.next() {
            let task = Task { await answer(request) }
            queue.started(request.id, task)
            await task.value
        }
    }

    private func answer(_ request: WorkRequest) async {
        defer { core?.giveBack() }
        TestFault.strike(request.source)
        var sink = ReplySink(request, channel, unfinished) { [queue] in queue.done(request.id) }
        var run: VideoRun
        do throws(SnapError) {
            run = try VideoRun(request.source, request.order, claiming: &sink.claimed)
        } catch {
            queue.done(request.id)
            return reply(Reply(failing: request.id, error, source: request.source.name))
        }
        var opened: Result<VideoShelf.Loan, SnapError>?
        if let version = request.unless {
            let result = await open(request)
            if let loan = try? result.get(), (try? await loan.video.version()) == version {
                queue.done(request.id)
                loan.giveBack()
                return reply(Reply(unchanged: request))
            }
            opened = result
        }
        do throws(Console.OutputError) {
            try await run.run(into: &sink) { () throws(SnapError) in
                let result = if let opened { opened } else { await open(request) }
                opened = result
                return try result.get().video
            }
        } catch {
            end(error)
        }
        if sink.isWell { try? opened?.get().giveBack() }
    }

    private func open(_ request: WorkRequest) async -> Result<VideoShelf.Loan, SnapError> {
        do throws(SnapError) {
            let loan = try await shelf.video(request.source, options: request.order.video)
            if order.isSupervised { try? channel.send(line: WorkerStage.open.line) }
            return .success(loan)
        } catch {
            return .failure(error)
        }
    }
}
