import Snap
import Synchronization

/// Standard output, to which several requests reply: each reply whole.
final class ReplyChannel: Sendable {
    private let lock = Mutex(())

    func send(_ reply: Reply) throws(Console.OutputError) { try write(reply.bytes) }

    func send(line: JSONValue) throws(Console.OutputError) { try write(Array((line.text + "\n").utf8)) }

    private func write(_ bytes: [UInt8]) throws(Console.OutputError) {
        let result = lock.withLock { _ in
            Result { () throws(Console.OutputError) in try Console.write(bytes) }
        }
        try result.get()
    }
}
