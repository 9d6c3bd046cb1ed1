#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// An open file; closed when it goes.
package struct FileDescriptor: ~Copyable {
    package let number: Int32
    private let closes: Bool

    /// Takes over a descriptor.
    ///
    /// - Parameter closes: False for one that belongs to somebody else, such as standard input.
    package init(_ number: Int32, closes: Bool = true) {
        self.number = number
        self.closes = closes
    }

    deinit {
        if closes { Self.closeFile(number) }
    }

    /// Closes it, and says whether all that was written has arrived. The corresponding C function is `close`.
    package consuming func close() throws(SystemError) {
        let (number, closes) = (number, closes)
        discard self
        if closes, Self.closeFile(number) != 0, errno != EINTR {
            throw SystemError(errorNumber: errno, action: "close")
        }
    }

    /// Opens without waiting: a pipe that nobody writes to yet is read when somebody does.
    ///
    /// The corresponding C function is `open` with `O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK`.
    package static func open(forReading path: String) throws(SystemError) -> FileDescriptor {
        let number = retrying { Self.openFile(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
        if number < 0 { throw SystemError(errorNumber: errno, action: "open \(path)") }
        return FileDescriptor(number)
    }

    /// Opens a file to write behind its end; makes it if there is none.
    ///
    /// The corresponding C function is `open` with `O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC`.
    package static func open(forAppending path: String) throws(SystemError) -> FileDescriptor {
        let number = retrying { Self.openFile(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY) }
        if number < 0 { throw SystemError(errorNumber: errno, action: "open \(path)") }
        return FileDescriptor(number)
    }

    /// The same open file, closed by itself. The corresponding C function is `fcntl` with `F_DUPFD_CLOEXEC`.
    package borrowing func duplicate() throws(SystemError) -> FileDescriptor {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        if copy < 0 { throw SystemError(errorNumber: errno, action: "duplicate a file descriptor") }
        return FileDescriptor(copy)
    }

    /// A pipe, which programs that are started don't get; each end is to be taken over by a ``FileDescriptor``.
    ///
    /// The corresponding C function is `pipe`.
    package static func pipe() throws(SystemError) -> (reading: Int32, writing: Int32) {
        var numbers: [Int32] = [-1, -1]
        if makePipe(&numbers) != 0 { throw SystemError(errorNumber: errno, action: "make a pipe") }
        for number in numbers { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        return (numbers[0], numbers[1])
    }

    /// Opens what is closed of standard input, output and error, on nothing: else the next file would take its place.
    ///
    /// Each in the direction in which it is of no use, so that whoever reads or writes it still gets an error, `EBADF`.
    package static func openStandard() {
        for number in 0...2 as ClosedRange<Int32> where fcntl(number, F_GETFD) < 0 {
            _ = openFile("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    /// Lets this process have as many open files as the system allows it. The corresponding C function is `setrlimit`.
    package static func raiseLimit() {
        #if canImport(Darwin)
            let kind = RLIMIT_NOFILE
        #else
            let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        var limit = rlimit()
        guard getrlimit(kind, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(kind, &limit)
    }

    /// Takes the file for this process alone, until it is closed. The corresponding C function is `flock`.
    ///
    /// - Returns: False when another process has it.
    package func lock() -> Bool { flock(number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK }

    /// Makes reading and writing fail with `EAGAIN` where they would wait. The corresponding C function is `fcntl`.
    package func setNonBlocking() { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }

    /// An open file without a name, gone when it is closed. Lies in `TMPDIR`, or /tmp.
    package static func temporary() throws(SystemError) -> FileDescriptor {
        let folder = getenv("TMPDIR").map { String(path: $0) } ?? "/tmp"
        var template = "\(folder)/snap-XXXXXX".pathBytes.map(CChar.init(bitPattern:)) + [0]
        let number = mkstemp(&template)
        if number < 0 { throw SystemError(errorNumber: errno, action: "make a temporary file in \(folder)") }
        unlink(template)
        return FileDescriptor(number)
    }

    /// A path without symbolic links and dots; `nil` where there is nothing. The corresponding C function is `realpath`.
    package static func resolvedPath(_ path: String) -> String? {
        guard let resolved = path.withPath({ realpath($0, nil) }) else { return nil }
        defer { free(resolved) }
        return String(path: resolved)
    }

    package enum Kind: Sendable {
        /// With its length in bytes.
        case regular(Int64)
        case directory
        /// A pipe, a socket, a terminal or another device: bytes that come once.
        case stream
    }

    /// What kind of file it is. The corresponding C function is `fstat`.
    package func kind() throws(SystemError) -> Kind {
        var status = stat()
        if fstat(number, &status) != 0 { throw SystemError(errorNumber: errno, action: "fstat") }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .regular(Int64(status.st_size))
        case S_IFDIR: return .directory
        default: return .stream
        }
    }

    /// When it was last changed, in nanoseconds since 1970; `nil` where that can't be told. The corresponding C function is
    /// `fstat`.
    package func modified() -> Int64? {
        var status = stat()
        guard fstat(number, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? nil : seconds &+ Int64(time.tv_nsec)
    }

    /// The corresponding C function is `pread`.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int {
        let count = Self.retrying { pread(number, buffer.baseAddress, buffer.count, off_t(offset)) }
        if count < 0 { throw SystemError(errorNumber: errno, action: "read") }
        return count
    }

    /// Reads what is there, and waits for it if there is nothing; 0 at the end. The corresponding C function is `read`.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        while true {
            let count = Self.retrying { Self.readBytes(number, buffer) }
            if count >= 0 { return count }
            guard errno == EAGAIN else { throw SystemError(errorNumber: errno, action: "read") }
            var descriptor = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            _ = poll(&descriptor, 1, 1000)
        }
    }

    /// Writes everything. The corresponding C function is `write`.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = Self.retrying { Self.writeBytes(number, rest) }
            if count < 0, errno == EAGAIN {  // a pipe that somebody made non-blocking
                var descriptor = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
                _ = poll(&descriptor, 1, 1000)
                continue
            }
            if count < 0 { throw SystemError(errorNumber: errno, action: "write") }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Repeats a call that a signal interrupted.
    private static func retrying<T: SignedInteger>(_ call: () -> T) -> T {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    private static func openFile(_ path: String, _ flags: Int32) -> Int32 {
        #if canImport(Darwin)
            path.withPath { Darwin.open($0, flags, 0o666) }
        #else
            path.withPath { Glibc.open($0, flags, 0o666) }
        #endif
    }

    private static func makePipe(_ numbers: UnsafeMutablePointer<Int32>) -> Int32 {
        #if canImport(Darwin)
            Darwin.pipe(numbers)
        #else
            Glibc.pipe(numbers)
        #endif
    }

    @discardableResult
    private static func closeFile(_ number: Int32) -> Int32 {
        #if canImport(Darwin)
            Darwin.close(number)
        #else
            Glibc.close(number)
        #endif
    }

    private static func readBytes(_ number: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Darwin)
            Darwin.read(number, buffer.baseAddress, buffer.count)
        #else
            Glibc.read(number, buffer.baseAddress, buffer.count)
        #endif
    }

    private static func writeBytes(_ number: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
            Darwin.write(number, bytes.baseAddress, bytes.count)
        #else
            Glibc.write(number, bytes.baseAddress, bytes.count)
        #endif
    }
}
