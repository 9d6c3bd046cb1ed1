import Foundation
import Synchronization

/// A command that has been started, for tests that send it signals or look while it works.
public final class RunningProcess: Sendable {
    /// How a command ended.
    public enum End: Sendable, Equatable {
        case exited(Int32)
        case killed(signal: Int32)
        case timedOut
    }

    public let identifier: Int32
    private let output: Int32
    private let errors: Int32
    private let state = Mutex<ProcessRunner.Result?>(nil)

    /// Starts a command; see ``ProcessRunner/run(_:_:input:environment:in:limit:)``.
    public init(
        _ command: String, _ arguments: [String], input: [UInt8]? = nil, environment: [String: String] = [:],
        in folder: String? = nil
    ) throws {
        let ends = try Self.start(command, arguments, hasInput: input != nil, environment: environment, in: folder)
        (identifier, output, errors) = (ends.identifier, ends.output, ends.errors)
        if let input, let feed = ends.input { Thread { Self.write(input, to: feed) }.start() }
    }

    /// Starting is one at a time: a child started between the making of a pipe and its marking would inherit it.
    private static let starting = Mutex(())

    /// For what makes descriptors that no child is to inherit.
    static func whileNoneStarts<T>(_ work: () throws -> sending T) rethrows -> sending T {
        try starting.withLock { _ in try work() }
    }

    private static func start(
        _ command: String, _ arguments: [String], hasInput: Bool, environment: [String: String], in folder: String?
    ) throws -> (identifier: Int32, output: Int32, errors: Int32, input: Int32?) {
        try starting.withLock { _ in
            let output = try Pipe()
            let errors = try Pipe()
            let feed = hasInput ? try Pipe() : nil
            var actions = SpawnActions()
            if let feed { actions.redirect(0, to: feed.readEnd) } else { actions.open("/dev/null", as: 0) }
            actions.redirect(1, to: output.writeEnd)
            actions.redirect(2, to: errors.writeEnd)
            defer {
                actions.free()
                for end in [output.writeEnd, errors.writeEnd] + (feed.map { [$0.readEnd] } ?? []) { close(end) }
            }
            do {
                let all = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
                let identifier = try actions.spawn(command, arguments, environment: all, in: folder)
                return (identifier, output.readEnd, errors.readEnd, feed?.writeEnd)
            } catch {
                for end in [output.readEnd, errors.readEnd] + (feed.map { [$0.writeEnd] } ?? []) { close(end) }
                throw error
            }
        }
    }

    /// Sends a signal, such as `SIGINT`.
    public func send(signal: Int32) { kill(identifier, signal) }

    /// Waits until the command blocks a signal, to take it in its own time: starting may take long on a busy machine,
    /// and a signal that comes before that simply ends the command.
    public func waitUntilBlocked(_ signal: Int32) {
        #if os(Linux)
            let deadline = ContinuousClock.now + .seconds(20)
            while !blocks(signal), ContinuousClock.now < deadline { usleep(5000) }
        #else
            usleep(500_000)
        #endif
    }

    /// Whether any thread has its bit in `SigBlk`, a hexadecimal number: see proc(5). While a thread waits for a signal
    /// by sigwait(3), the kernel takes its bit away.
    private func blocks(_ signal: Int32) -> Bool {
        let tasks = "/proc/\(identifier)/task"
        return ((try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []).contains { task in
            let status = (try? String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }
            let mask = line?.split(whereSeparator: \.isWhitespace).last.flatMap { UInt64($0, radix: 16) } ?? 0
            return mask >> UInt64(signal - 1) & 1 == 1
        }
    }

    /// Waits for the end and takes what the command wrote. A second call gives the same.
    public func wait(limit seconds: Double = 60) -> ProcessRunner.Result {
        state.withLock { state in
            if let state { return state }
            let result = collect(limit: seconds)
            state = result
            return result
        }
    }

    private func collect(limit seconds: Double) -> ProcessRunner.Result {
        let deadline = ContinuousClock.now + .seconds(seconds)
        var streams: [(descriptor: Int32, bytes: [UInt8], open: Bool)] = [(output, [], true), (errors, [], true)]
        var timedOut = false
        while streams.contains(where: \.open) {
            var polled = streams.map { pollfd(fd: $0.open ? $0.descriptor : -1, events: Int16(POLLIN), revents: 0) }
            let left = (deadline - ContinuousClock.now) / .milliseconds(1)
            guard left > 0 else {
                timedOut = true
                break
            }
            guard poll(&polled, nfds_t(polled.count), Int32(min(left + 1, 1000))) > 0 else { continue }
            for i in streams.indices where polled[i].revents != 0 {
                var buffer = [UInt8](repeating: 0, count: 65536)
                let count = read(streams[i].descriptor, &buffer, buffer.count)
                if count > 0 { streams[i].bytes += buffer[..<count] } else { streams[i].open = false }
            }
        }
        if timedOut { kill(identifier, SIGKILL) }
        let end = reap(until: deadline)
        close(output)
        close(errors)
        return ProcessRunner.Result(
            standardOutput: streams[0].bytes, standardError: streams[1].bytes, end: timedOut ? .timedOut : end)
    }

    private func reap(until deadline: ContinuousClock.Instant) -> End {
        var status: Int32 = 0
        var late = false
        while true {
            let found = waitpid(identifier, &status, late ? 0 : WNOHANG)
            if found == identifier { break }
            if found < 0 && errno != EINTR { return .exited(-1) }
            if !late && ContinuousClock.now > deadline {
                kill(identifier, SIGKILL)
                late = true
            } else {
                usleep(500)
            }
        }
        if late { return .timedOut }
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
    }

    /// Writes all bytes and closes the end; a reader that goes away early is no fault.
    private static func write(_ bytes: [UInt8], to end: Int32) {
        // EPIPE is asked for instead of the signal that would end the tests.
        var pipeSignal = sigset_t()
        sigemptyset(&pipeSignal)
        sigaddset(&pipeSignal, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipeSignal, nil)
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Foundation.write(end, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0 && errno == EINTR { continue }
                if count <= 0 { break }
                rest = rest.dropFirst(count)
            }
        }
        close(end)
    }
}
