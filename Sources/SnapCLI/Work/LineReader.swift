import Snap

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Lines out of a file or pipe, as they come.
struct LineReader: ~Copyable {
    enum Line: Sendable {
        case text([UInt8])
        /// One that is longer than it may be; what it said is lost.
        case tooLong
    }

    private let file: FileDescriptor
    private let separator: UInt8
    private let longest: Int
    private var buffer: [UInt8] = []
    /// Where what was not given out begins.
    private var start = 0
    private var isSkipping = false
    private var hasEnded = false

    /// - Parameters:
    ///   - separator: What ends a line.
    ///   - longest: The most bytes of a line.
    init(_ file: consuming FileDescriptor, separator: UInt8 = 0x0a, longest: Int = 4 << 20) {
        self.file = file
        self.separator = separator
        self.longest = longest
    }

    /// The next line, without its end; `nil` when there is none. Blocks until it is there.
    mutating func next() throws(SystemError) -> Line? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: separator) {
                let line = Array(buffer[start..<end])
                start = end + 1
                if isSkipping || line.count > longest {
                    isSkipping = false
                    return .tooLong
                }
                return .text(line)
            }
            if buffer.count - start > longest {
                isSkipping = true
                (buffer, start) = ([], 0)
            }
            if hasEnded { return lastLine() }
            searched = buffer.count - start
            try fill()
        }
    }

    /// What stands behind the last separator is a line, too.
    private mutating func lastLine() -> Line? {
        let line = Array(buffer[start...])
        (buffer, start) = ([], 0)
        if isSkipping {
            isSkipping = false
            return .tooLong
        }
        return line.isEmpty ? nil : .text(line)
    }

    private mutating func fill() throws(SystemError) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        let size = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: 1 << 16))
        let count = try buffer.withUnsafeMutableBytesTyped { bytes throws(SystemError) in
            try file.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[size...]))
        }
        buffer.removeLast((1 << 16) - count)
        hasEnded = count == 0
    }
}

extension Array where Element == UInt8 {
    /// As `withUnsafeMutableBytes`, for what throws errors of one type.
    fileprivate mutating func withUnsafeMutableBytesTyped<T>(
        _ body: (UnsafeMutableRawBufferPointer) throws(SystemError) -> T
    ) throws(SystemError) -> T {
        let result: Result<T, SystemError> = withUnsafeMutableBytes { bytes in
            Result { () throws(SystemError) in try body(bytes) }
        }
        return try result.get()
    }
}
