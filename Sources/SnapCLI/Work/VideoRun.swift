import Snap

/// Takes the ordered pictures of one video: names files, skips those that are there, takes, encodes, hands over.
struct VideoRun {
    let source: Source
    let order: PictureOrder
    let input: InputName
    /// `nil` while the video must be opened to list the pictures.
    private var jobs: [PictureJob]?
    /// The name that the first picture of a series will have, by product, if that is known before.
    private var namesOfFirst: [Int: String] = [:]
    private var finishedCount = 0

    /// Names the pictures as far as that is possible without opening the video.
    ///
    /// - Throws: ``SnapError`` with code `usage` when a name is another picture's or a video's.
    init(_ source: Source, _ order: PictureOrder, claiming claimed: inout ClaimedPaths) throws(SnapError) {
        (self.source, self.order) = (source, order)
        input = InputName(source)
        var jobs: [PictureJob] = []
        var isListed = true
        for (place, product) in order.products.enumerated() {
            switch product.wanted {
            case .positions(let positions):
                var listed = makeJobs(positions, place)
                for index in listed.indices { try name(&listed[index], .usage, &claimed) }
                jobs += listed
            case .series(let series):
                isListed = false
                var first = job(series.from, index: 0, place)
                switch series.spacing {
                case .every: break
                case .count, .distinct: first.fields.time = nil  // they don't begin where the range does
                }
                try name(&first, .usage, &claimed)
                namesOfFirst[place] = first.path
            }
        }
        if isListed { self.jobs = jobs }
    }

    private func makeJobs(_ positions: [Position], _ product: Int) -> [PictureJob] {
        positions.enumerated().map { job($1, index: $0, product) }
    }

    func job(_ position: Position, index: Int, _ product: Int) -> PictureJob {
        PictureJob(position, index: index, product: product, input: input, format: order.products[product].format)
    }

    /// Gives a picture its path, if it has none and enough is known.
    private func name(
        _ job: inout PictureJob, _ code: SnapError.Code, _ claimed: inout ClaimedPaths
    ) throws(SnapError) {
        guard case .files(let template) = order.products[job.product].destination, job.path == nil else { return }
        guard let path = template.path(job.fields) else { return }
        let isExpected = job.fields.index == 1 && path == namesOfFirst[job.product]
        if !isExpected, let reason = claimed.claim(path, for: "\(source.name) at \(job.label)") {
            throw SnapError(code, source: path, reason)
        }
        job.path = path
    }

    // MARK: The work

    /// - Parameter open: Opens the video.
    /// - Throws: ``Console/OutputError`` when the sink takes no more; all else is handed over to it.
    mutating func run(
        into sink: inout some PictureSink, opening open: () async throws(SnapError) -> Video
    ) async throws(Console.OutputError) {
        if let jobs, order.skipsExisting, jobs.allSatisfy(isThere) {
            for (index, job) in jobs.enumerated() { try skip(job, index, &sink) }
            return
        }
        let video: Video
        var jobs = self.jobs ?? []
        var live: LiveSnapshots?
        do throws(SnapError) {
            video = try await open()
            if self.jobs == nil {
                live = try await liveSnapshots(of: video)
                if live == nil { jobs = try await listJobs(of: video) }
            }
        } catch {
            return try fail(all: error, &sink)
        }
        if let live { return try await follow(live, into: &sink) }
        self.jobs = jobs
        let rest = try await prepare(&jobs, video, &sink)
        let requests = rest.map { index in
            SnapshotRequest(at: jobs[index].position, options: order.products[jobs[index].product].snapshot)
        }
        for await element in video.snapshots(of: requests, order: .byTime) {
            let index = rest[element.index]
            try finish(element.result, jobs[index], index, &sink)
        }
    }

    private func listJobs(of video: Video) async throws(SnapError) -> [PictureJob] {
        var jobs: [PictureJob] = []
        for (place, product) in order.products.enumerated() {
            switch product.wanted {
            case .positions(let positions): jobs += makeJobs(positions, place)
            case .series(let series):
                let positions = try await video.positions(series, options: product.snapshot)
                var listed = makeJobs(positions, place)
                let note = series.spacing.note(on: positions.count)
                for index in listed.indices { listed[index].note = note }
                jobs += listed
            }
        }
        return jobs
    }

    private func isThere(_ job: PictureJob) -> Bool { job.path.map(OutputFile.isReadable) ?? false }

    /// Names the pictures that the open video lets name, and leaves out those that need not be taken.
    ///
    /// - Returns: The places of those that are to be taken.
    private mutating func prepare(
        _ jobs: inout [PictureJob], _ video: Video, _ sink: inout some PictureSink
    ) async throws(Console.OutputError) -> [Int] {
        await findTimes(of: &jobs, video)
        var rest: [Int] = []
        for index in jobs.indices {
            do throws(SnapError) { try name(&jobs[index], .cannotWrite, &sink.claimed) } catch {
                try finish(.failure(error), jobs[index], index, &sink)
                continue
            }
            if order.skipsExisting, isThere(jobs[index]) {
                try skip(jobs[index], index, &sink)
            } else {
                rest.append(index)
            }
        }
        return rest
    }

    /// A position that can't be resolved fails when its picture is taken.
    private func findTimes(of jobs: inout [PictureJob], _ video: Video) async {
        for (place, product) in order.products.enumerated() {
            guard case .files = product.destination else { continue }
            let unknown = jobs.indices.filter {
                jobs[$0].product == place && jobs[$0].path == nil && jobs[$0].fields.time == nil
            }
            if unknown.isEmpty { continue }
            let positions = unknown.map { jobs[$0].position }
            let moments = (try? await video.moments(of: positions, options: product.snapshot)) ?? []
            for (index, moment) in zip(unknown, moments) { jobs[index].fields.time = (try? moment.get())?.time }
        }
    }

    // MARK: What becomes of a picture

    /// Encodes a picture and hands it over, or says why there is none.
    mutating func finish(
        _ result: Result<Snapshot, SnapError>, _ job: PictureJob, _ index: Int, _ sink: inout some PictureSink
    ) throws(Console.OutputError) {
        let taken = Result { () throws(SnapError) in try encode(try result.get(), job, &sink.claimed) }
        try hand(taken, job, index, &sink)
    }

    mutating func hand(
        _ result: Result<FinishedPicture.Taken, SnapError>, _ job: PictureJob, _ index: Int,
        _ sink: inout some PictureSink
    ) throws(Console.OutputError) {
        finishedCount += 1
        let total = jobs?.count
        try sink.finish(
            FinishedPicture(
                job: job, index: index, isAlone: total == 1, isLast: finishedCount == total, result: result))
    }

    private func encode(
        _ snapshot: Snapshot, _ job: PictureJob, _ claimed: inout ClaimedPaths
    ) throws(SnapError) -> FinishedPicture.Taken {
        var job = job
        let format = order.products[job.product].format
        let bytes = try snapshot.encoded(as: format)
        var receipt = snapshot.receipt(for: bytes.count, format: format, output: nil)
        if let note = job.note { receipt.picture?.notes.append(note) }
        guard case .files = order.products[job.product].destination else { return .picture(bytes, receipt) }
        job.fields.time = job.fields.time ?? snapshot.receipt.requested ?? snapshot.receipt.actual?.time
        job.fields.size = (snapshot.picture.width, snapshot.picture.height)
        try name(&job, .cannotWrite, &claimed)
        guard let path = job.path else {
            throw SnapError(.cannotWrite, source: source.name, "has no time that a file could be named for")
        }
        if order.skipsExisting, OutputFile.isReadable(path) { return .none(self.receipt(skipping: job)) }
        receipt.output = path
        return .picture(bytes, receipt)
    }

    private func receipt(skipping job: PictureJob) -> Receipt {
        Receipt(
            skipping: job.path ?? "", source: source.name, position: job.position.description,
            requested: job.fields.time)
    }

    private mutating func skip(
        _ job: PictureJob, _ index: Int, _ sink: inout some PictureSink
    ) throws(Console.OutputError) {
        try hand(.success(.none(receipt(skipping: job))), job, index, &sink)
    }

    /// A video that can't be opened.
    private func fail(all error: SnapError, _ sink: inout some PictureSink) throws(Console.OutputError) {
        let positions = order.products.flatMap { product in
            switch product.wanted {
            case .positions(let positions): positions.map(\.description)
            case .series(let series): [series.spacing.label]
            }
        }
        try sink.fail(error, all: positions)
    }
}

extension Series.Spacing {
    /// What receipts call a series that could not be listed.
    var label: String {
        switch self {
        case .every(let distance): "every:\(distance.decimalSeconds)"
        case .count(let count): "count:\(count)"
        case .distinct(let count): "distinct:\(count)"
        }
    }

    /// What a user should know where so many pictures were found; `nil` for nothing.
    fileprivate func note(on found: Int) -> String? {
        guard case .distinct(let count) = self, found < count else { return nil }
        let pictures = "\(found) distinct picture\(found == 1 ? "" : "s")"
        return "\(pictures) instead of \(count), for no more were found that differ"
    }
}
