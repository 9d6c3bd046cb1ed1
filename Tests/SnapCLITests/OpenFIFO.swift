import Foundation

/// A named pipe that is open at both ends, so that a reader waits for bytes that never come, and a writer for
/// room that is never made.
struct OpenFIFO {
    private let descriptor: Int32

    init(_ path: String) throws {
        guard mkfifo(path, 0o600) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    /// Waits until somebody has written to it.
    func waitForBytes(limit: Duration = .seconds(30)) {
        var descriptor = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&descriptor, 1, Int32(limit / .milliseconds(1)))
    }

    func close() { _ = Foundation.close(descriptor) }
}
