import Foundation
import Synchronization

/// A pipe with a path, removed with its folder.
public struct NamedPipe: Sendable {
    public let path: String

    public init(_ path: String) throws {
        guard mkfifo(path, 0o600) == 0 else {
            throw ProcessError("mkfifo \(path): \(String(cString: strerror(errno)))")
        }
        self.path = path
    }

    /// Writes from a thread of its own, to whoever opens the pipe to read, until they close it or it is done.
    ///
    /// - Parameter next: Called for one piece after the other; `nil` is the end.
    public func write(_ next: @escaping @Sendable () -> [UInt8]?) {
        let path = path
        Thread.detachNewThread {
            signal(SIGPIPE, SIG_IGN)
            let descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return }
            defer { close(descriptor) }
            while let piece = next() {
                var sent = 0
                while sent < piece.count {
                    let count = piece.withUnsafeBytes {
                        Foundation.write(descriptor, $0.baseAddress! + sent, $0.count - sent)
                    }
                    guard count > 0 else { return }
                    sent += count
                }
            }
        }
    }

    /// Writes some bytes, then ends.
    public func write(_ bytes: [UInt8]) {
        let rest = Mutex<[UInt8]?>(bytes)
        write { rest.withLock { $0.take() } }
    }

    /// Notices when somebody opens the pipe to read: who does without `O_NONBLOCK` is let in.
    public func watch() -> Watch { Watch(path) }

    public final class Watch: Sendable {
        private struct State {
            var wasOpened = false
            var isOver = false
        }

        private let state = Mutex(State())

        init(_ path: String) {
            Thread.detachNewThread { [self] in
                while !state.withLock({ $0.isOver }) {
                    // Without a reader this fails.
                    let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
                    if descriptor >= 0 {
                        close(descriptor)
                        state.withLock { $0.wasOpened = true }
                    }
                    usleep(5_000)
                }
            }
        }

        /// Whether somebody did. Ends the watch.
        public func wasOpened() -> Bool {
            state.withLock { state in
                state.isOver = true
                return state.wasOpened
            }
        }
    }
}
