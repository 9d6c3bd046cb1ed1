import Snap

/// What is said on standard error.
extension CommandSink {
    /// - Parameter job: The picture that it is about; `nil` where there is but one.
    func say(_ error: SnapError, _ job: PictureJob?) {
        let parts = [source.name, job?.label, error.sentence(about: source.name)]
        Console.say(parts.compactMap(\.self).joined(separator: ": "))
    }

    /// Says what a user should know of a picture.
    mutating func say(notesOn receipt: Receipt, _ picture: FinishedPicture) {
        let standsStill = receipt.status == .skipped && receipt.code == "stale"
        defer { stoodStill = standsStill }
        guard order.printsNotes else { return }
        if standsStill {
            if !stoodStill, let message = receipt.message { Console.say("\(source.name): \(message)") }
            return
        }
        if let note = picture.job.note, notesSaid.insert(note).inserted { Console.say("\(source.name): \(note)") }
        for note in notes(on: receipt) where !notesSaid.contains(note) {
            Console.say("\(source.name): \(picture.job.label): \(note)")
        }
        for note in receipt.reading.notes where notesSaid.insert(note).inserted {
            Console.say("\(source.name): \(note)")
        }
    }

    private func notes(on receipt: Receipt) -> [String] {
        if receipt.status == .skipped {
            return receipt.output.map { ["skipped, for \($0) is there already"] } ?? []
        }
        var notes: [String] = []
        let time = receipt.actual?.time.clockText ?? "unknown"
        if let choice = receipt.choice { notes.append("the frame at \(time), \(choice)") }
        if receipt.isClamped { notes.append("past the end; this is the last frame, at \(time)") }
        if receipt.status == .degraded, let message = receipt.message { notes.append(message) }
        return notes + (receipt.picture?.notes ?? [])
    }
}
