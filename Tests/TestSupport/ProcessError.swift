import Foundation

/// A command that could not be started, or that failed where it must not.
public struct ProcessError: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }

    init(starting command: String, errno code: Int32) {
        self.init("can't start \(command): \(String(cString: strerror(code)))")
    }
}
