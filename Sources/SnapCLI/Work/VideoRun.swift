import Snap

/// Takes the ordered pictures of one video: names files, skips those that are there, takes, encodes, writes, tells.
struct VideoRun {
    let source: Source
    let order: PictureOrder
    let unfinished: UnfinishedFiles
    let input: InputName
    /// `nil` while the video must be opened to list the pictures.
    private var jobs: [PictureJob]?
    /// The name that the first picture of a series will have, if that is known before.
    private var nameOfFirst: String?
    private var lines = OrderedLines()
    /// What has been said; a server without byte ranges is worth one line, not one for each picture.
    var notesSaid: Set<String> = []

    /// Names the pictures as far as that is possible without opening the video.
    ///
    /// - Throws: ``SnapError`` with code `usage` when a name is another picture's or a video's.
    init(
        _ source: Source, _ order: PictureOrder, unfinished: UnfinishedFiles, claiming claimed: inout ClaimedPaths
    ) throws(SnapError) {
        (self.source, self.order, self.unfinished) = (source, order, unfinished)
        input = InputName(source)
        switch order.wanted {
        case .positions(let positions):
            var jobs = makeJobs(positions)
            for index in jobs.indices { try name(&jobs[index], .usage, &claimed) }
            self.jobs = jobs
        case .series(let series):
            // Its time stands for nothing where the pictures lie in the middle of parts.
            var first = PictureJob(series.from, index: 0, input: input, format: order.format)
            if case .count = series.spacing { first.fields.time = nil }
            try name(&first, .usage, &claimed)
            nameOfFirst = first.path
        }
    }

    private func makeJobs(_ positions: [Position]) -> [PictureJob] {
        positions.enumerated().map { PictureJob($1, index: $0, input: input, format: order.format) }
    }

    /// Gives a picture its path, if it has none and enough is known.
    private func name(
        _ job: inout PictureJob, _ code: SnapError.Code, _ claimed: inout ClaimedPaths
    ) throws(SnapError) {
        guard case .files(let template) = order.destination, job.path == nil else { return }
        guard let path = template.path(job.fields) else { return }
        let isExpected = job.fields.index == 1 && path == nameOfFirst
        if !isExpected, let reason = claimed.claim(path, for: "\(source.name) at \(job.label)") {
            throw SnapError(code, source: path, reason)
        }
        job.path = path
    }

    // MARK: The work

    /// - Throws: ``Console/OutputError`` when standard output takes no more; all else is told and counted.
    mutating func run(claimed: inout ClaimedPaths, tally: inout Tally) async throws(Console.OutputError) {
        if let jobs, order.skipsExisting, jobs.allSatisfy(isThere) {
            for (index, job) in jobs.enumerated() { try skip(job, index, &tally) }
            return
        }
        let video: Video
        var jobs = self.jobs ?? []
        var live: LiveSnapshots?
        do throws(SnapError) {
            video = try await Video(source, options: order.video)
            if case .series(let series) = order.wanted {
                live = try await liveSnapshots(of: video, series)
                if live == nil { jobs = makeJobs(try await video.positions(series, options: order.snapshot)) }
            }
        } catch {
            return try failAll(error, &tally)
        }
        if let live { return try await follow(live, claimed, &tally) }
        self.jobs = jobs
        let rest = try await prepare(&jobs, video, &claimed, &tally)
        let snapshots = video.snapshots(at: rest.map { jobs[$0].position }, options: order.snapshot, order: .byTime)
        for await element in snapshots {
            let index = rest[element.index]
            // A signal ends the command; there is nothing to tell of each picture then.
            if case .failure(let error) = element.result, error.code == .cancelled { return }
            try finish(element.result, jobs[index], index, &claimed, &tally)
        }
    }

    /// Brings a picture to its place, or says why there is none.
    mutating func finish(
        _ result: Result<Snapshot, SnapError>, _ job: PictureJob, _ index: Int, _ claimed: inout ClaimedPaths,
        _ tally: inout Tally
    ) throws(Console.OutputError) {
        let delivery: Delivery
        do throws(SnapError) { delivery = try deliver(try result.get(), job, &claimed) } catch {
            return try fail(job, index, error, &tally)
        }
        say(notesOn: delivery.receipt, job)
        if let bytes = delivery.bytes { try Console.write(bytes) }
        try lines.finish(index, with: order.printsReceipts ? delivery.receipt.json : delivery.receipt.output)
        tally.succeeded()
    }

    private func isThere(_ job: PictureJob) -> Bool { job.path.map(OutputFile.exists) ?? false }

    /// Names the pictures that the open video lets name, and leaves out those that need not be taken.
    ///
    /// - Returns: The places of those that are to be taken.
    private mutating func prepare(
        _ jobs: inout [PictureJob], _ video: Video, _ claimed: inout ClaimedPaths, _ tally: inout Tally
    ) async throws(Console.OutputError) -> [Int] {
        guard case .files = order.destination else { return Array(jobs.indices) }
        if jobs.contains(where: { $0.path == nil && $0.fields.time == nil }) {
            // A position that can't be resolved fails when its picture is taken.
            let moments = (try? await video.moments(of: jobs.map(\.position), options: order.snapshot)) ?? []
            for (index, moment) in moments.enumerated() { jobs[index].fields.time = (try? moment.get())?.time }
        }
        var rest: [Int] = []
        for index in jobs.indices {
            do throws(SnapError) { try name(&jobs[index], .cannotWrite, &claimed) } catch {
                try fail(jobs[index], index, error, &tally)
                continue
            }
            if order.skipsExisting, isThere(jobs[index]) {
                try skip(jobs[index], index, &tally)
            } else {
                rest.append(index)
            }
        }
        return rest
    }

    /// A picture that is where it belongs, or still has to go to standard output.
    private struct Delivery {
        let receipt: Receipt
        let bytes: [UInt8]?
    }

    private func deliver(
        _ snapshot: Snapshot, _ job: PictureJob, _ claimed: inout ClaimedPaths
    ) throws(SnapError) -> Delivery {
        let bytes = try snapshot.encoded(as: order.format)
        guard case .files = order.destination else {
            return Delivery(
                receipt: snapshot.receipt(for: bytes.count, format: order.format, output: nil), bytes: bytes)
        }
        var job = job
        job.fields.time = job.fields.time ?? snapshot.receipt.requested ?? snapshot.receipt.actual?.time
        job.fields.size = (snapshot.picture.width, snapshot.picture.height)
        try name(&job, .cannotWrite, &claimed)
        guard let path = job.path else {
            throw SnapError(.cannotWrite, source: source.name, "has no time that a file could be named for")
        }
        var receipt = snapshot.receipt(for: bytes.count, format: order.format, output: path)
        if order.skipsExisting, OutputFile.exists(path) {
            receipt = Receipt(
                skipping: path, source: source.name, position: job.position.description, requested: job.fields.time)
        } else {
            try unfinished.write(bytes, to: path)
        }
        return Delivery(receipt: receipt, bytes: nil)
    }

    // MARK: What is told

    private mutating func skip(_ job: PictureJob, _ index: Int, _ tally: inout Tally) throws(Console.OutputError) {
        let receipt = Receipt(
            skipping: job.path ?? "", source: source.name, position: job.position.description,
            requested: job.fields.time)
        say(notesOn: receipt, job)
        try pass(over: receipt, index, &tally)
    }

    /// Tells of a picture that there is no need to take.
    mutating func pass(over receipt: Receipt, _ index: Int, _ tally: inout Tally) throws(Console.OutputError) {
        try lines.finish(index, with: order.printsReceipts ? receipt.json : nil)
        tally.succeeded()
    }

    private mutating func fail(
        _ job: PictureJob, _ index: Int, _ error: SnapError, _ tally: inout Tally
    ) throws(Console.OutputError) {
        say(error, of: (jobs?.count ?? 0) > 1 ? job : nil)
        let receipt = Receipt(
            failure: error, source: source.name, position: job.position.description, requested: job.fields.time)
        try lines.finish(index, with: order.printsReceipts ? receipt.json : nil)
        tally.failed(error.exitCode)
    }

    /// A video that can't be opened: one sentence, a receipt for each picture, one failure.
    private mutating func failAll(_ error: SnapError, _ tally: inout Tally) throws(Console.OutputError) {
        if error.code == .cancelled { return }
        say(error, of: nil)
        tally.failed(error.exitCode)
        guard order.printsReceipts else { return }
        let positions: [String] =
            switch order.wanted {
            case .positions(let positions): positions.map(\.description)
            case .series(let series): [series.spacing.label]
            }
        for (index, position) in positions.enumerated() {
            try lines.finish(index, with: Receipt(failure: error, source: source.name, position: position).json)
        }
    }
}

extension Series.Spacing {
    /// What receipts call a series that could not be listed.
    fileprivate var label: String {
        switch self {
        case .every(let distance): "every:\(distance.decimalSeconds)"
        case .count(let count): "count:\(count)"
        }
    }
}
