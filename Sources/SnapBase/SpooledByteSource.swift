#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The bytes of a pipe, kept in a temporary file as they come, so that a demuxer can go back: an MP4 that comes through
/// standard input may have its index at the end.
///
/// Reads no further than asked. The size is known once the end was reached.
package final class SpooledByteSource: ByteSource {
    /// 4 GiB.
    package static let defaultLimit: Int64 = 4 << 30

    private let pipe: FileDescriptor
    private let spool: FileDescriptor
    private let limit: Int64
    private let interrupt: Interrupt
    private var spooled: Int64 = 0
    private var isAtEnd = false
    /// What could not be spooled is gone from the pipe: nothing behind it can be read.
    private var failure: SystemError?

    /// - Parameters:
    ///   - pipe: Read from where it stands.
    ///   - limit: How many bytes may be spooled.
    ///   - interrupt: Ends the waiting for a pipe that gives nothing.
    package init(_ pipe: consuming FileDescriptor, limit: Int64 = defaultLimit, interrupt: Interrupt)
        throws(SystemError)
    {
        let spool = try FileDescriptor.temporary()
        self.pipe = pipe
        self.spool = spool
        self.limit = limit
        self.interrupt = interrupt
    }

    package var statistics: ByteSourceStatistics {
        var statistics = ByteSourceStatistics()
        statistics.bytesRead = spooled
        return statistics
    }

    package func size() -> Int64? { isAtEnd ? spooled : nil }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        while offset >= spooled, !isAtEnd { try spoolMore() }
        guard offset < spooled else { return 0 }
        let count = min(buffer.count, Int(spooled - offset))
        return try spool.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: offset)
    }

    private func spoolMore() throws {
        if let failure { throw failure }
        guard spooled < limit else { throw SpoolLimitExceeded(limit: limit) }
        try waitForBytes()
        try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { chunk in
            let count = unistdRead(pipe.number, chunk)
            if count < 0 {
                if errno == EINTR || errno == EAGAIN { return }
                throw SystemError(errorNumber: errno, action: "read")
            }
            if count == 0 {
                isAtEnd = true
            } else {
                do throws(SystemError) {
                    try spool.write(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
                } catch {
                    failure = error
                    throw error
                }
                spooled += Int64(count)
            }
        }
    }

    private func waitForBytes() throws {
        while true {
            try interrupt.check()
            var descriptor = pollfd(fd: pipe.number, events: Int16(POLLIN), revents: 0)
            let ready = poll(&descriptor, 1, 100)
            if ready > 0 { return interrupt.resume() }
            if ready == 0 { interrupt.pause(for: "for bytes of the pipe") }
            if ready < 0, errno != EINTR { throw SystemError(errorNumber: errno, action: "poll") }
        }
    }
}

private func unistdRead(_ number: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(number, buffer.baseAddress, buffer.count)
}

/// A pipe that gave more bytes than may be kept.
package struct SpoolLimitExceeded: Error, CustomStringConvertible {
    package let limit: Int64
    package var description: String { "more than \(limit) bytes came through the pipe (--max-bytes)" }
}
