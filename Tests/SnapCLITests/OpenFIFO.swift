import Foundation

/// A named pipe that is open for writing, so that its reader waits for bytes that never come.
struct OpenFIFO {
    private let descriptor: Int32

    init(_ path: String) throws {
        guard mkfifo(path, 0o600) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    func close() { _ = Foundation.close(descriptor) }
}
