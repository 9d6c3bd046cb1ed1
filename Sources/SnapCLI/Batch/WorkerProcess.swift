import Snap

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A `snap worker`, and the pipes to it.
///
/// A class, so that several can be kept in an array; used by one thread.
final class WorkerProcess {
    /// Why it was ended.
    enum Fault: Sendable, Hashable {
        case hung
        case tookTooMuchMemory
    }

    let number: pid_t
    /// Whether it works on what comes from servers.
    let isForNetwork: Bool
    private let requests: FileDescriptor
    private let replies: FileDescriptor
    private let talk: FileDescriptor
    /// What it has not taken yet of what it is told.
    private var unsent: [UInt8] = []
    private var parser = ReplyParser()
    /// What it said last on standard error.
    private var lastWords: [UInt8] = []

    /// What it was given and is not done with, the one in work first.
    var assigned: [Assignment] = []
    var hasGreeted = false
    /// When it has been silent for too long.
    var deadline: ContinuousClock.Instant?
    private(set) var fault: Fault?

    // MARK: Its life

    /// - Parameter defaults: The options of all requests, in JSON.
    init(isForNetwork: Bool, defaults: String) throws(SystemError) {
        self.isForNetwork = isForNetwork
        // The ends of the worker are closed here when it has them.
        let input = try FileDescriptor.pipe()
        let theirInput = FileDescriptor(input.reading)
        requests = FileDescriptor(input.writing)
        let output = try FileDescriptor.pipe()
        let theirOutput = FileDescriptor(output.writing)
        replies = FileDescriptor(output.reading)
        let talk = try FileDescriptor.pipe()
        let theirTalk = FileDescriptor(talk.writing)
        self.talk = FileDescriptor(talk.reading)
        let arguments = [
            "snap", "worker", "--supervised", "--jobs", "1", "--keep-open", "0", "--defaults", defaults,
        ]
        number = try Self.spawn(
            arguments, input: theirInput.number, output: theirOutput.number, talk: theirTalk.number)
        requests.setNonBlocking()
        replies.setNonBlocking()
        self.talk.setNonBlocking()
    }

    private static func spawn(
        _ arguments: [String], input: Int32, output: Int32, talk: Int32
    ) throws(SystemError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (own, theirs) in [(input, 0), (output, 1), (talk, 2)] as [(Int32, Int32)] {
            posix_spawn_file_actions_adddup2(&actions, own, theirs)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // In a group of its own: Ctrl-C on the terminal is for the one that supervises.
        posix_spawnattr_setpgroup(&attributes, 0)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))

        _ = Self.backtracesAreOff
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { $0.withPath { strdup($0) } } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let status = posix_spawn(&process, Self.executable, &actions, &attributes, &words, environ)
        if status != 0 { throw SystemError(errorNumber: status, action: "start a worker") }
        return process
    }

    /// Where Swift is installed, it would take seconds to write the backtrace of a worker that crashes. Whoever wants it
    /// says so in the environment.
    private static let backtracesAreOff = setenv("SWIFT_BACKTRACE", "enable=no", 0) == 0

    /// This program's own file.
    private static var executable: String {
        #if canImport(Darwin)
            var size: UInt32 = 4096
            var path = [CChar](repeating: 0, count: Int(size))
            return _NSGetExecutablePath(&path, &size) == 0 ? String(cString: path) : CommandLine.arguments[0]
        #else
            // Not read: it leads to the program that runs even if its file has been replaced since.
            return "/proc/self/exe"
        #endif
    }

    /// Ends it at once.
    func kill(for fault: Fault? = nil) {
        if self.fault == nil { self.fault = fault }
        _ = Self.send(SIGKILL, to: number)
    }

    /// Waits for its end, and says how it ended.
    func reap() -> Ending {
        var status: Int32 = 0
        while waitpid(number, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return Ending(
            signal: signal == 0 ? nil : signal, exitCode: (status >> 8) & 0xff, fault: fault,
            lastWords: String(decoding: lastWords, as: UTF8.self))
    }

    struct Ending: Sendable {
        let signal: Int32?
        let exitCode: Int32
        let fault: Fault?
        let lastWords: String
    }

    private static func send(_ signal: Int32, to process: pid_t) -> Int32 {
        #if canImport(Darwin)
            Darwin.kill(process, signal)
        #else
            Glibc.kill(process, signal)
        #endif
    }

    // MARK: What is said

    /// Hands it a request. One that can't be written is found again when its replies end.
    func send(_ assignment: Assignment) {
        assigned.append(assignment)
        send(line: assignment.item.line(unless: assignment.versionBefore))
    }

    /// Says that it may compute.
    func lendCore() { send(line: Array(#"{"core":true}"#.utf8)) }

    private func send(line: [UInt8]) {
        unsent += line + [0x0a]
        flush()
    }

    /// Writes what it takes now: one that reads nothing holds up nobody.
    private func flush() {
        while !unsent.isEmpty {
            let count = unsent.withUnsafeBytes { write(requests.number, $0.baseAddress, $0.count) }
            if count >= 0 {
                unsent.removeFirst(count)
            } else if errno != EINTR {
                if errno != EAGAIN { unsent = [] }
                return
            }
        }
    }

    /// To be waited for.
    var descriptors: [pollfd] {
        let incoming = [replies.number, talk.number].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        return unsent.isEmpty ? incoming : incoming + [pollfd(fd: requests.number, events: Int16(POLLOUT), revents: 0)]
    }

    /// Takes what has come, and writes what is still to be written.
    ///
    /// - Returns: False when nothing will come any more.
    func exchange() -> Bool {
        flush()
        _ = drain(talk) { bytes in
            lastWords.append(contentsOf: bytes)
            if lastWords.count > 2000 { lastWords.removeFirst(lastWords.count - 1000) }
        }
        return drain(replies) { parser.add($0) }
    }

    func nextMessage() -> ReplyParser.Message? { parser.next() }

    /// - Returns: False at the end.
    private func drain(_ file: borrowing FileDescriptor, _ take: (UnsafeRawBufferPointer) -> Void) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
            while true {
                let count = read(file.number, buffer.baseAddress, buffer.count)
                if count > 0 { take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
                if count == 0 { return false }
                if count < 0, errno != EINTR { return errno == EAGAIN }
                if count < buffer.count { return true }
            }
        }
    }

    // MARK: What it takes

    /// The memory that it occupies now, in bytes; 0 where the system does not tell.
    var memory: Int64 {
        #if os(Linux)
            guard let file = try? FileDescriptor.open(forReading: "/proc/\(number)/statm") else { return 0 }
            let text = [UInt8](unsafeUninitializedCapacity: 128) { buffer, count in
                count = (try? file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)) ?? 0
            }
            let words = text.split(separator: 0x20)
            guard words.count > 1, let pages = Int64(String(decoding: words[1], as: UTF8.self)) else { return 0 }
            return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
        #else
            return 0
        #endif
    }
}

/// An input that a worker was given.
struct Assignment: Sendable {
    let item: BatchItem
    /// In the order in which they were begun.
    let sequence: Int
    /// What a journal knows it by.
    let fingerprint: Fingerprint?
    /// What its pictures are expected to be called.
    let names: Set<Fingerprint>
    /// What its server had in an earlier run that has done it; `nil` where it is done in any case.
    let versionBefore: String?
    /// How often it was tried before.
    var attempts = 0
    /// The pictures that were delivered, also in an attempt that failed later.
    var delivered: Set<Int> = []
    var outcome = Outcome()
    /// Whether the video was opened.
    var isOpen = false

    /// How its pictures ended.
    struct Outcome: Sendable {
        /// The code of the first that failed.
        var failure: String?
        var outputs: [String] = []
        var bytesRead: Int64 = 0
        /// What the server has.
        var version: String?
        /// Whether that is what it had in an earlier run, whose pictures are there.
        var isUnchanged = false
    }
}
