#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A call to the operating system that failed.
public struct SystemError: Error, Sendable, Hashable {
    /// The C `errno`.
    public let errorNumber: Int32
    /// What was being done, as in "open a.mp4".
    public let action: String

    public init(errorNumber: Int32, action: String) {
        self.errorNumber = errorNumber
        self.action = action
    }

    /// What the number means, in the system's words. The corresponding C function is `strerror_r`.
    public var meaning: String { systemMessage(errorNumber) }
}

extension SystemError: CustomStringConvertible {
    public var description: String { "\(action): \(meaning)" }
}

private func systemMessage(_ errorNumber: Int32) -> String {
    let message = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer -> String in
        buffer.initialize(repeating: 0)
        guard let text = buffer.baseAddress else { return "" }
        _ = strerror_r(errorNumber, text, buffer.count)
        return String(cString: text)
    }
    return message.isEmpty ? "error \(errorNumber)" : message.prefix(1).lowercased() + message.dropFirst()
}
