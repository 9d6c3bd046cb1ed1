import SnapBase
import SnapNetwork
import TestSupport
import Testing

/// Opens a URL in a session of its own.
func open(
    _ url: String, typed: String? = nil, options: HTTPOptions = .quick, interrupt: Interrupt = Interrupt()
) throws -> HTTPByteSource {
    try HTTPByteSource(
        HTTPURL(url), typed: typed.map { try HTTPURL($0) }, session: HTTPSession(), options: options,
        interrupt: interrupt)
}

extension HTTPOptions {
    /// As a user has them, but with waits that suit a test.
    static var quick: HTTPOptions {
        var options = HTTPOptions()
        options.retryDelays = [.milliseconds(5), .milliseconds(10)]
        return options
    }
}

extension ByteSource {
    /// Reads exactly a range, or up to the end.
    func bytes(_ range: Range<Int64>, step: Int = 32_768) throws -> [UInt8] {
        var result: [UInt8] = []
        while result.count < range.count {
            var room = [UInt8](repeating: 0, count: min(step, range.count - result.count))
            let count = try room.withUnsafeMutableBytes {
                try read(into: $0, at: range.lowerBound + Int64(result.count))
            }
            if count == 0 { break }
            result += room[..<count]
        }
        return result
    }
}

/// The bytes of a range of ``LoopbackResource/pattern(size:)``.
func pattern(_ range: Range<Int64>) -> [UInt8] { LoopbackResource.pattern(range) }

/// The code that a step fails with; `nil` when it doesn't.
func failure(_ step: () throws -> Void) -> NetworkError? {
    do {
        try step()
        return nil
    } catch {
        return error as? NetworkError
    }
}
