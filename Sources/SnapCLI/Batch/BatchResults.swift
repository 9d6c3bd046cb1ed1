import Snap

/// What becomes of the inputs of a batch: pictures to their places, lines to standard output, failures to standard
/// error, and all into the journal.
struct BatchResults {
    private let order: BatchOrder
    private let unfinished: UnfinishedFiles
    private let journal: BatchJournal?
    private var claimed = ClaimedOutputs()
    /// With a journal: how often the same was asked for.
    private var occurrences: [Fingerprint: Int] = [:]
    private(set) var tally = BatchTally()
    private var progress: BatchProgress

    /// With `--ordered`: what waits for its turn, and whether it is complete, by sequence.
    private var waiting: [Int: (lines: [String], isDone: Bool)] = [:]
    /// The sequence whose lines may be printed.
    private(set) var turn = 0

    /// - Throws: ``SnapError`` when the journal can't be used.
    init(_ order: BatchOrder, unfinished: UnfinishedFiles) throws(SnapError) {
        self.order = order
        self.unfinished = unfinished
        var claimed = ClaimedOutputs()
        journal = try order.journal.map { journal throws(SnapError) in
            try BatchJournal(journal) { path, input in claimed.reserve(path, for: input) }
        }
        self.claimed = claimed
        progress = BatchProgress(order.progress)
    }

    /// What the journal knows an input by; `nil` without a journal.
    mutating func fingerprint(_ item: BatchItem) -> Fingerprint? {
        guard journal != nil else { return nil }
        let print = item.fingerprint(order.identity)
        let occurrence = occurrences[print, default: 0]
        occurrences[print] = occurrence + 1
        return occurrence == 0 ? print : item.fingerprint(order.identity, occurrence: occurrence)
    }

    /// What the pictures of an input are expected to be called.
    mutating func expectedNames(of item: BatchItem) -> Set<Fingerprint> {
        Set(item.expectedPictures(order.options).compactMap(\.name).map { claimed.key($0) })
    }

    // MARK: Inputs that are not worked on

    /// What the server of an input had when an earlier run has done it.
    func versionBefore(_ fingerprint: Fingerprint) -> String? { journal?.earlier(fingerprint)?.version }

    /// Leaves an input out if the journal says that it was done, and no server must be asked whether it still is.
    ///
    /// - Returns: Whether it did.
    mutating func skip(_ item: BatchItem, _ fingerprint: Fingerprint?, _ sequence: Int) throws(Console.OutputError)
        -> Bool
    {
        guard let fingerprint, let earlier = journal?.earlier(fingerprint), earlier.version == nil else { return false }
        for output in earlier.outputs { claimed.keep(output, for: item) }
        switch earlier.status {
        case .done: tally.doneBefore += 1
        case .failed: tally.failedBefore += 1
        }
        if order.printsReceipts {
            var receipt = Receipt(skipping: "", source: item.name, position: "")
            receipt.output = nil
            receipt.code = earlier.status == .done ? "done-before" : "failed-before"
            receipt.message = "\(earlier.status == .done ? "done" : "failed") in an earlier run, says the journal"
            try put(Self.line(item, nil, receipt), sequence)
        }
        try end(sequence)
        return true
    }

    /// An input that can't be asked for.
    mutating func fail(
        index: Int, _ input: String, _ error: SnapError, _ sequence: Int
    ) throws(Console.OutputError) {
        say(input, error.message)
        tally.fail(error.code.rawValue)
        if order.printsReceipts {
            let receipt = Receipt(failure: error, source: input, position: "")
            try put(Self.line(BatchItem(index: index, input: input), nil, receipt), sequence)
        }
        try end(sequence)
    }

    // MARK: Pictures

    /// Brings a picture to its place.
    mutating func take(_ reply: WorkerReply, _ assignment: inout Assignment) throws(Console.OutputError) {
        // Delivered already, by a worker that came to grief later.
        if let picture = reply.picture, !assignment.delivered.insert(picture).inserted { return }
        assignment.outcome.bytesRead = max(assignment.outcome.bytesRead, reply.facts.read.bytes ?? 0)
        assignment.outcome.version = assignment.outcome.version ?? reply.facts.read.version
        if reply.picture == nil, reply.facts.code == Reply.unchanged { return try leave(reply, &assignment) }
        if reply.facts.status == Receipt.Status.failed.rawValue {
            return try fail(
                &assignment, reply.facts.code, Self.line(assignment.item, reply),
                saying: [label(reply, assignment), reply.facts.message])
        }
        if let path = reply.facts.path {
            do throws(SnapError) {
                try claim(path, for: assignment.item)
                // There is none of a picture that was there already.
                if reply.payloadSize > 0 { try unfinished.write(reply.payload, to: path) }
            } catch {
                return try fail(reply, &assignment, error)
            }
            assignment.outcome.outputs.append(path)
        }
        if order.printsReceipts {
            try put(Self.line(assignment.item, reply), assignment.sequence)
        } else if let path = reply.facts.path, reply.payloadSize > 0 {
            try put(path, assignment.sequence)
        }
    }

    /// The source of pictures that are there has not changed.
    private mutating func leave(_ reply: WorkerReply, _ assignment: inout Assignment) throws(Console.OutputError) {
        assignment.outcome.isUnchanged = true
        let earlier = assignment.fingerprint.flatMap { journal?.earlier($0) }
        for output in earlier?.outputs ?? [] { claimed.keep(output, for: assignment.item) }
        if order.printsReceipts { try put(Self.line(assignment.item, reply), assignment.sequence) }
    }

    private mutating func claim(_ path: String, for item: BatchItem) throws(SnapError) {
        guard claimed.claim(path, for: item) else {
            throw SnapError(
                .cannotWrite, source: path,
                "is the name of another input's picture, too; use fields such as {dir}, {stem} and {name}, or a manifest"
            )
        }
        if OutputFile.isSpecial(path) {
            throw SnapError(.cannotWrite, source: path, "there is something that is no file; a batch leaves it alone")
        }
        guard let file = FileIdentity(ofRegularFile: path) else { return }
        // Another input, perhaps: which ones there are is not known before the list ends.
        if file.isSameFile(as: item.input) || VideoLook.isVideo(path) {
            throw SnapError(.cannotWrite, source: path, "would be written over a video")
        }
    }

    // MARK: Failures

    /// A picture that has no place.
    private mutating func fail(
        _ reply: WorkerReply, _ assignment: inout Assignment, _ error: SnapError
    ) throws(Console.OutputError) {
        let receipt = Receipt(
            failure: error, source: assignment.item.name, position: reply.facts.requested.position ?? "",
            requested: reply.facts.requested.moment)
        try fail(
            &assignment, error.code.rawValue, Self.line(assignment.item, reply.picture, receipt),
            saying: [label(reply, assignment), error.sentence(about: assignment.item.name)])
    }

    /// The pictures that workers have not delivered that came to their end over the input: said once, with a receipt
    /// for each. A series has one, for it is not known how many there would be.
    mutating func fail(restOf assignment: inout Assignment, _ error: SnapError) throws(Console.OutputError) {
        let item = assignment.item
        var lines = item.expectedPictures(order.options).compactMap { picture -> String? in
            if let number = picture.number, assignment.delivered.contains(number) { return nil }
            let receipt = Receipt(
                failure: error, source: item.name, position: picture.position, requested: picture.time)
            return Self.line(item, picture.number, receipt)
        }
        if lines.isEmpty { lines = [Self.line(item, nil, Receipt(failure: error, source: item.name, position: ""))] }
        try fail(&assignment, error.code.rawValue, lines.joined(separator: "\n"), saying: [error.message])
    }

    private mutating func fail(
        _ assignment: inout Assignment, _ code: String, _ line: String, saying words: [String?]
    ) throws(Console.OutputError) {
        say(assignment.item.name, words.compactMap(\.self).joined(separator: ": "))
        if assignment.outcome.failure == nil { assignment.outcome.failure = code }
        if order.printsReceipts { try put(line, assignment.sequence) }
    }

    /// What a picture is called where its input has several: its time, or the position as it was typed.
    private func label(_ reply: WorkerReply, _ assignment: Assignment) -> String? {
        let isAlone = reply.isLast && assignment.delivered.count < 2
        if reply.picture == nil || isAlone { return nil }
        return reply.facts.requested.moment?.clockText ?? reply.facts.requested.position ?? ""
    }

    /// All pictures of an input have ended.
    mutating func end(_ assignment: Assignment) throws(Console.OutputError) {
        tally.bytesRead += assignment.outcome.bytesRead
        if assignment.outcome.isUnchanged {
            tally.doneBefore += 1
            return try end(assignment.sequence)
        }
        if let code = assignment.outcome.failure { tally.fail(code) } else { tally.done += 1 }
        if let journal, let fingerprint = assignment.fingerprint {
            do throws(SnapError) { try journal.add(assignment, fingerprint) } catch { throw .failed(error) }
        }
        try end(assignment.sequence)
    }

    // MARK: What is told

    private static func line(_ item: BatchItem, _ reply: WorkerReply) -> String {
        head(item) + "\"picture\":\(JSONValue(reply.picture).text)," + reply.receiptText
    }

    /// - Parameter picture: Its number; `nil` for the input as a whole.
    private static func line(_ item: BatchItem, _ picture: Int?, _ receipt: Receipt) -> String {
        head(item) + "\"picture\":\(JSONValue(picture).text)," + receipt.json.dropFirst()
    }

    private static func head(_ item: BatchItem) -> String {
        let members = [("index", JSONValue(item.index))] + JSONValue.path("input", item.name)
        return JSONValue.object(members).text.dropLast() + ","
    }

    private mutating func put(_ line: String, _ sequence: Int) throws(Console.OutputError) {
        if !order.isOrdered || sequence == turn { return try Console.printLine(line) }
        waiting[sequence, default: ([], false)].lines.append(line)
    }

    /// No line of an input will come any more.
    private mutating func end(_ sequence: Int) throws(Console.OutputError) {
        progress.show(tally)
        guard order.isOrdered else { return }
        waiting[sequence, default: ([], false)].isDone = true
        while let next = waiting[turn] {
            for line in next.lines { try Console.printLine(line) }
            waiting[turn]?.lines = []
            guard next.isDone else { break }
            waiting[turn] = nil
            turn += 1
        }
    }

    private mutating func say(_ input: String, _ message: String) {
        progress.hide()
        Console.say("\(input): \(message)")
    }

    /// From time to time, also while nothing ends.
    mutating func tick(total: Int?) {
        tally.total = total
        progress.show(tally)
    }

    /// Tells how it all went.
    ///
    /// - Parameter isUnfinished: Whether inputs were left that were not begun.
    mutating func close(isUnfinished: Bool) {
        progress.close(tally)
        if !order.isQuiet { Console.say((isUnfinished ? "stopped: " : "") + tally.summary) }
    }
}
