import Snap
import SnapBase
import Synchronization

/// A byte source that does what a test says, and counts what was asked of it.
final class ScriptedSource: ByteSource {
    /// What tests look at afterwards, from their own thread.
    final class Log: Sendable {
        private let reads = Mutex<[Int64]>([])
        var offsets: [Int64] { reads.withLock { $0 } }
        fileprivate func add(_ offset: Int64) { reads.withLock { $0.append(offset) } }
    }

    typealias Answer = @Sendable (UnsafeMutableRawBufferPointer, Int64) throws -> Int

    private let length: Int64?
    private let log: Log
    private let answer: Answer

    init(size: Int64?, log: Log = Log(), answer: @escaping Answer) {
        length = size
        self.log = log
        self.answer = answer
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        log.add(offset)
        return try answer(buffer, offset)
    }

    func size() -> Int64? { length }

    /// Copies what there is of some bytes at an offset.
    static func copy(_ bytes: [UInt8], _ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64) -> Int {
        guard (0..<Int64(bytes.count)).contains(offset) else { return 0 }
        let part = bytes[Int(offset)...].prefix(buffer.count)
        part.withUnsafeBytes { buffer.copyMemory(from: $0) }
        return part.count
    }
}

extension Source {
    /// A source that a test scripts.
    static func scripted(
        size: Int64?, log: ScriptedSource.Log = .init(), _ answer: @escaping ScriptedSource.Answer
    ) -> Source {
        .custom(name: "script") { _ in ScriptedSource(size: size, log: log, answer: answer) }
    }
}
