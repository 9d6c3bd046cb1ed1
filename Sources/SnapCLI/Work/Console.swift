import Snap

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Standard output, which carries what was asked for and nothing else, and standard error, which carries all talk.
enum Console {
    /// Standard output that takes no more.
    enum OutputError: Error {
        /// Nobody reads it any longer, as after `| head -1`.
        case readerGone
        case failed(SnapError)
    }

    static var outputIsTerminal: Bool { isatty(1) == 1 }

    /// - Throws: ``SnapError`` with code `usage` when a video would have to be typed in.
    static func checkInput(for sources: [Source]) throws(SnapError) {
        let readsInput = sources.contains { if case .standardInput = $0 { true } else { false } }
        if readsInput, isatty(0) == 1 {
            throw SnapError(.usage, "standard input is a terminal: pipe a video into it, or name one")
        }
    }

    /// Tells what became of standard output, if there is something to tell.
    static func exitCode(for error: OutputError) -> Int32 {
        switch error {
        case .readerGone: return ExitStatus.readerGone
        case .failed(let error):
            say(error.description)
            return error.exitCode
        }
    }

    static func write(_ bytes: [UInt8]) throws(OutputError) {
        let result: Result<Void, SystemError> = bytes.withUnsafeBytes { buffer in
            Result { () throws(SystemError) in try FileDescriptor(1, closes: false).write(buffer) }
        }
        do throws(SystemError) { try result.get() } catch {
            if error.errorNumber == EPIPE { throw .readerGone }
            let reason = error.errorNumber == EBADF ? "it is closed" : error.meaning
            throw .failed(SnapError(.cannotWrite, source: "standard output", "cannot be written: \(reason)"))
        }
    }

    /// Prints a line; a path in it comes out byte for byte, for the command that it is piped into.
    static func printLine(_ line: String) throws(OutputError) { try write(line.pathBytes + [0x0a]) }

    /// Tells something to people, on one line. If that can't be done, there is nobody to tell.
    static func say(_ line: String) {
        let bytes = Array("snap: \(visible(line))\n".utf8)
        bytes.withUnsafeBytes { try? FileDescriptor(2, closes: false).write($0) }
    }

    /// Names of files and servers' words must not move the cursor of a terminal or feign a second line. A byte that is
    /// no text becomes `\xNN`, too.
    static func visible(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.strayByte != nil || scalar.properties.generalCategory == .control:
                let digits = String(scalar.strayByte.map(UInt32.init) ?? scalar.value, radix: 16)
                result += "\\x" + (digits.count < 2 ? "0" : "") + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
