import Snap

/// What goes back to the client: a status as in HTTP, and a JPEG if it is 200.
struct Answer: Sendable {
    let status: Int
    let body: [UInt8]
    /// For the log.
    let note: String

    init(_ result: Result<Snapshot, SnapError>) {
        do throws(SnapError) {
            let snapshot = try result.get()
            body = try snapshot.encoded(as: .jpeg)
            status = 200
            // The receipt tells what was got for what was asked; its `json` has all of it.
            let time = snapshot.receipt.actual.map { "the frame at \($0.time)" } ?? "a frame"
            note = "\(time), \(snapshot.picture.width) × \(snapshot.picture.height)"
        } catch {
            body = []
            status = Self.status(of: error)
            note = error.description
        }
    }

    /// The codes of errors are stable; their sentences are for people.
    private static func status(of error: SnapError) -> Int {
        switch error.code {
        case .usage, .pastTheEnd, .refusedAddress: 400
        case .notFound, .isDirectory, .notReadable: 404
        case .tooLarge, .tooManyBytes: 413
        case .internal, .cannotWrite: 500
        case .network: 502
        case .timedOut: 504
        // What was sent is no video, or none that can be shown.
        default: 422
        }
    }
}
