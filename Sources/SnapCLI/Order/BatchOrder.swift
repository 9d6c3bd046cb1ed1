import Snap

/// What is to be done to many videos.
struct BatchOrder: Sendable {
    /// Where the inputs come from.
    enum Inputs: Sendable {
        case names([String])
        /// A list, by its path or - for standard input.
        case list(String, separator: UInt8)
        /// Jobs in JSON, by their path or -.
        case manifest(String)
    }

    struct Journal: Sendable {
        let path: String
        /// What was done before is left out.
        let resumes: Bool
        /// But not what failed.
        let retriesFailed: Bool
    }

    /// One part of several.
    struct Shard: Sendable, Hashable {
        /// From 1.
        let number: Int
        let count: Int

        /// Whether an input is of this part; the same on every machine.
        func holds(_ input: String) -> Bool {
            Fingerprint(input).part(of: count) == number - 1
        }
    }

    let inputs: Inputs
    let walksFolders: Bool
    let shard: Shard
    let jobs: Int
    let networkJobs: Int
    let perHost: Int
    /// In bytes, of one worker.
    let memoryLimit: Int64
    /// How long a worker may be silent over one picture; `nil` for ever.
    let patience: Duration?
    /// Where time indexes are kept, but for jobs that say otherwise.
    let timeIndex: TimeIndexPlace?
    /// The options of all jobs.
    let options: TypedOptions
    /// The same in JSON; what a worker takes as its defaults.
    let defaults: String
    /// What of them makes a picture another one.
    let identity: String
    let journal: Journal?
    let isOrdered: Bool
    let printsReceipts: Bool
    let isQuiet: Bool
    let progress: ProgressKind
    /// The run ends when more have failed.
    let failureLimit: Int?
}

extension BatchOrder {
    /// - Throws: ``SnapError`` with code `usage`.
    init(_ typed: BatchCommand) throws(SnapError) {
        let batch = typed.batch
        inputs = try Self.inputs(typed)
        walksFolders = batch.recursive
        shard = try batch.shard.map { text throws(SnapError) in try Shard(text) } ?? Shard(number: 1, count: 1)
        jobs = try Self.number(batch.jobs ?? coreCount, "--jobs", 1...1024)
        networkJobs = try Self.number(batch.networkJobs ?? 4 * coreCount, "--network-jobs", 1...1024)
        perHost = try Self.number(batch.perHost, "--per-host", 1...1024)
        memoryLimit = try VideoOptions.number(batch.maxMemory, "--max-memory")
        failureLimit = try Self.failureLimit(batch)
        journal = try Self.journal(batch)
        isOrdered = batch.ordered
        progress = batch.progress
        isQuiet = typed.options.output.quiet
        printsReceipts = typed.options.output.json
        options = typed.options

        // A mistake is said once, before work begins.
        let product = try Product(typed.options, implied: .files(.implied))
        if product.destination == .asker {
            throw SnapError(.usage, "a batch writes files: name a folder, or a name with fields, with -o")
        }
        let isOneVideo = typed.input.count == 1 && !walksFolders
        if case .files(let template) = product.destination, !template.differsByVideo, !isOneVideo,
            batch.manifest == nil
        {
            throw SnapError(
                .usage, "one name for the pictures of several videos: add a field to it, as in -o 'thumbs/{stem}.jpg'")
        }
        let video = try VideoOptions(typed.options.reading, typed.options.stream)
        (patience, timeIndex) = (video.timeout, video.timeIndex)
        let differences = typed.options.differences
        defaults = JSONValue.object(differences).textWithStrayBytes
        identity =
            JSONValue.object(differences.filter { !["timeout", "threads", "skip-existing", "index"].contains($0.key) })
            .text
    }

    private static func inputs(_ typed: BatchCommand) throws(SnapError) -> Inputs {
        let batch = typed.batch
        let ways = [!typed.input.isEmpty, batch.fromFile != nil, batch.manifest != nil].count { $0 }
        if ways > 1 { throw SnapError(.usage, "name inputs, or a list with --from-file, or a --manifest: one of them") }
        if batch.null, batch.fromFile == nil { throw SnapError(.usage, "--null goes with --from-file") }
        if let list = batch.fromFile { return .list(list, separator: batch.null ? 0 : 0x0a) }
        if let manifest = batch.manifest { return .manifest(manifest) }
        if typed.input.isEmpty {
            throw SnapError(.usage, "no input is named: write snap batch *.mp4 -o thumbs/, or snap batch --help")
        }
        if typed.input.contains("-") {
            throw SnapError(.usage, "standard input holds a list, not a video: write --from-file -")
        }
        return .names(typed.input)
    }

    private static func number(_ value: Int, _ name: String, _ range: ClosedRange<Int>) throws(SnapError) -> Int {
        guard range.contains(value) else {
            throw SnapError(.usage, "\(name) is \(value); it goes from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    private static func failureLimit(_ batch: BatchOptions) throws(SnapError) -> Int? {
        switch (batch.failFast, batch.maxFailures) {
        case (true, .some): throw SnapError(.usage, "--fail-fast and --max-failures exclude each other")
        case (true, nil): return 0
        case (false, let limit?): return try number(limit, "--max-failures", 0...Int.max)
        case (false, nil): return nil
        }
    }

    private static func journal(_ batch: BatchOptions) throws(SnapError) -> Journal? {
        guard let path = batch.journal else {
            if batch.resume || batch.retryFailed {
                throw SnapError(.usage, "--resume and --retry-failed go with --journal")
            }
            return nil
        }
        return Journal(path: path, resumes: batch.resume || batch.retryFailed, retriesFailed: batch.retryFailed)
    }
}

extension BatchOrder.Shard {
    /// Reads `3/16`.
    ///
    /// - Throws: ``SnapError`` with code `usage`.
    init(_ text: String) throws(SnapError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1], count >= 1, 1...count ~= number else {
            throw SnapError(.usage, "--shard \(text): write which part of how many, from 1/16 to 16/16")
        }
        self.init(number: number, count: count)
    }
}
