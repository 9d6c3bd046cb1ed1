import Foundation

/// Runs commands, with bytes in and bytes out and a limit on time.
public enum ProcessRunner {
    /// What a command left.
    public struct Result: Sendable {
        public let standardOutput: [UInt8]
        public let standardError: [UInt8]
        public let end: RunningProcess.End

        /// The exit code; `nil` when a signal ended the command.
        public var exitCode: Int32? {
            if case .exited(let code) = end { code } else { nil }
        }
        public var output: String { String(decoding: standardOutput, as: UTF8.self) }
        public var messages: String { String(decoding: standardError, as: UTF8.self) }
    }

    /// Runs a command to its end, or to the limit: it is killed then, and the result's ``Result/end`` is `.timedOut`.
    ///
    /// - Parameters:
    ///   - command: A path, or a name looked up in `PATH`.
    ///   - arguments: Without the command itself.
    ///   - input: What its standard input holds; `nil` for none (`/dev/null`).
    ///   - environment: Added to this process's own.
    ///   - folder: Where it runs; `nil` for this process's own.
    ///   - seconds: The limit.
    /// - Throws: ``ProcessError`` when the command can't be started.
    public static func run(
        _ command: String, _ arguments: [String], input: [UInt8]? = nil, environment: [String: String] = [:],
        in folder: String? = nil, limit seconds: Double = 60
    ) throws -> Result {
        let process = try RunningProcess(
            command, arguments, input: input, environment: environment, in: folder)
        return process.wait(limit: seconds)
    }
}
