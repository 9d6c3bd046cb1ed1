import CFFmpeg

/// A C function of FFmpeg that failed: its status, its name, and what FFmpeg had to say.
package struct FFmpegError: Error, Hashable {
    /// A negative AVERROR.
    package let status: Int32
    /// The C function.
    package let call: StaticString
    /// FFmpeg's last line of log at level error on this thread, if there was one.
    package let detail: String?

    package init(status: Int32, call: StaticString, detail: String? = nil) {
        self.status = status
        self.call = call
        self.detail = detail
    }

    /// What the status means, in FFmpeg's words. The corresponding C function is `av_strerror`.
    package var meaning: String {
        var text = [CChar](repeating: 0, count: 128)
        let known = unsafe text.withUnsafeMutableBufferPointer { unsafe av_strerror(status, $0.baseAddress, $0.count) }
        return known == 0
            ? String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : "error \(status)"
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.status == right.status && left.call.description == right.call.description && left.detail == right.detail
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(status)
        hasher.combine(call.description)
    }
}

extension FFmpegError: CustomStringConvertible {
    package var description: String { [detail, "\(call): \(meaning)"].compactMap(\.self).joined(separator: "; ") }
}

/// The one gate for C statuses: gives what is not negative, throws the rest under the call's name.
@discardableResult
func check(_ status: Int32, _ call: StaticString) throws(FFmpegError) -> Int32 {
    if status >= 0 { return status }
    throw FFmpegError(status: status, call: call, detail: lastLogLine())
}

/// The same for functions that return a pointer: `nil` means that memory ran out.
func check<T>(_ pointer: UnsafeMutablePointer<T>?, _ call: StaticString) throws(FFmpegError) -> UnsafeMutablePointer<T>
{
    guard let pointer = unsafe pointer else { throw FFmpegError(status: cff_error_out_of_memory, call: call) }
    return unsafe pointer
}

/// Takes FFmpeg's last line of log on this thread.
func lastLogLine() -> String? {
    let line = unsafe String(cString: cff_log_take_line())
    return line.isEmpty ? nil : line
}
