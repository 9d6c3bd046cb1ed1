import FoundationEssentials
import Snap

/// A file that says of each input how it ended, a line each, so that a batch can be taken up again.
///
/// A line is written when the pictures are at their places. One that a sudden end cut off stands for nothing.
final class BatchJournal {
    /// How an input ended in an earlier run.
    struct Earlier: Sendable {
        enum Status: Sendable { case done, failed }

        let status: Status
        /// The pictures that are there.
        let outputs: [Fingerprint]
        /// What the server had; `nil` for a file, and where the server does not tell.
        let version: String?
    }

    private let file: FileDescriptor
    private let path: String
    private var earlier: [Fingerprint: Earlier] = [:]

    /// - Parameter keep: Told each picture of an earlier run that is still there, and whose it is. Says what the picture
    ///   is known by.
    /// - Throws: ``SnapError`` with code `cannot-write`.
    init(_ order: BatchOrder.Journal, keeping keep: (_ path: String, _ input: String) -> Fingerprint) throws(SnapError)
    {
        path = order.path
        do {
            file = try FileDescriptor.open(forAppending: order.path)
            guard try Self.isJournal(order.path) else {
                throw SnapError(.cannotWrite, source: order.path, "is no journal, and is left as it is")
            }
            guard file.lock() else {
                throw SnapError(.cannotWrite, source: order.path, "the journal is in use by another batch")
            }
            if order.resumes {
                earlier = try Self.read(order.path, keep)
                if order.retriesFailed { earlier = earlier.filter { $0.value.status == .done } }
            }
            // What is added must not become a part of a line that was cut off.
            if try Self.endsInside(order.path) { try file.write(string: "\n") }
        } catch let error as SystemError {
            throw SnapError(.cannotWrite, source: order.path, "the journal can't be used: \(error.meaning)")
        } catch let error as SnapError {
            throw error
        } catch {
            throw SnapError(.internal, source: order.path, "\(error)")
        }
    }

    /// How an input ended before; `nil` for one that is to be done.
    func earlier(_ fingerprint: Fingerprint) -> Earlier? { earlier[fingerprint] }

    private struct Entry: Decodable {
        let key: String
        let input: String
        let status: String
        let outputs: [String]
        let version: String?
    }

    private static func read(
        _ path: String, _ keep: (String, String) -> Fingerprint
    ) throws(SystemError) -> [Fingerprint: Earlier] {
        var found: [Fingerprint: Earlier] = [:]
        var lines = LineReader(try FileDescriptor.open(forReading: path), longest: 1 << 28)
        while let line = try lines.next() {
            guard case .text(let bytes) = line,
                let entry = try? JSONDecoder().decode(Entry.self, from: Data(bytes)),
                let key = Fingerprint(hex: entry.key)
            else { continue }
            let areThere = entry.outputs.allSatisfy(OutputFile.isReadable)
            let outputs = areThere ? entry.outputs.map { keep($0, entry.input) } : []
            switch entry.status {
            case "done" where areThere:
                found[key] = Earlier(status: .done, outputs: outputs, version: entry.version)
            case "failed": found[key] = Earlier(status: .failed, outputs: [], version: nil)
            // Somebody removed a picture: it is wanted again.
            default: found[key] = nil
            }
        }
        return found
    }

    /// Whether a file is empty, or begins as a journal does.
    private static func isJournal(_ path: String) throws(SystemError) -> Bool {
        let file = try FileDescriptor.open(forReading: path)
        let head = [UInt8](unsafeUninitializedCapacity: 7) { buffer, count in
            count = (try? file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)) ?? 0
        }
        return "{\"key\":".utf8.starts(with: head)
    }

    private static func endsInside(_ path: String) throws(SystemError) -> Bool {
        let file = try FileDescriptor.open(forReading: path)
        guard case .regular(let length) = try file.kind(), length > 0 else { return false }
        return withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { byte in
            ((try? file.read(into: byte, at: length - 1)) ?? 0) == 1 && byte[0] != 0x0a
        }
    }

    /// Adds what became of an input.
    ///
    /// - Throws: ``SnapError`` with code `cannot-write`.
    func add(_ assignment: Assignment, _ fingerprint: Fingerprint) throws(SnapError) {
        let outcome = assignment.outcome
        let line = JSONValue.object([
            ("key", .string(fingerprint.text)), ("input", .string(assignment.item.name)),
            ("status", .string(outcome.failure == nil ? "done" : "failed")), ("code", JSONValue(outcome.failure)),
            ("outputs", .array(outcome.outputs.map { .string($0) })), ("version", JSONValue(outcome.version)),
            ("snap", .string(Version.current)),
        ])
        do throws(SystemError) { try file.write(string: line.textWithStrayBytes + "\n") } catch {
            throw SnapError(.cannotWrite, source: path, "the journal can't be written: \(error.meaning)")
        }
    }
}

extension FileDescriptor {
    fileprivate func write(string: String) throws(SystemError) {
        let result: Result<Void, SystemError> = Array(string.utf8).withUnsafeBytes { bytes in
            Result { () throws(SystemError) in try write(bytes) }
        }
        try result.get()
    }
}
