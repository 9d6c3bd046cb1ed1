import CFFmpeg
import SnapBase

/// Hands a byte source to libavformat: the two callbacks of an AVIOContext, and what they must remember.
final class ByteReader {
    private let source: any ByteSource
    private let interrupt: Interrupt
    private var position: Int64 = 0
    /// What the source threw, for C has room for a number only. Stays until ``takeFailure()``.
    private var failure: MediaError?
    /// Failures so far. libavformat takes one for the end of the file and keeps to it.
    private(set) var failureCount = 0

    init(_ source: any ByteSource, interrupt: Interrupt) {
        self.source = source
        self.interrupt = interrupt
    }

    var statistics: ByteSourceStatistics { source.statistics }

    func takeFailure() -> MediaError? {
        defer { failure = nil }
        return failure
    }

    /// The length in bytes where it is known.
    func size() -> Int64? {
        guard let size = try? source.size(), (0...Self.lastPosition).contains(size) else { return nil }
        return size
    }

    /// Tells the source what will be read next.
    func willRead(_ range: Range<Int64>) { source.willRead(range) }

    /// Whether reading behind what was read costs no more than reading on.
    var isSeekable: Bool { source.isSeekable }

    /// - Throws: ``MediaError/interrupted(_:)`` when work must stop.
    func checkInterrupt() throws(MediaError) {
        if let reason = interrupt.reason { throw .interrupted(reason) }
    }

    /// Makes FFmpeg's own loops stop when work must.
    func makeInterruptCallback() -> AVIOInterruptCB {
        // Not retained: the demuxer owns both.
        unsafe AVIOInterruptCB(
            callback: { opaque in
                guard let opaque = unsafe opaque else { return 0 }
                let reader = unsafe Unmanaged<ByteReader>.fromOpaque(opaque).takeUnretainedValue()
                return reader.interrupt.reason == nil ? 0 : 1
            }, opaque: Unmanaged.passUnretained(self).toOpaque())
    }

    /// Bytes from anywhere, without moving the position; fewer than asked for only at the end.
    func read(_ count: Int, at offset: Int64) throws(MediaError) -> [UInt8] {
        try checkInterrupt()
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        do {
            while filled < count {
                let read = try unsafe bytes.withUnsafeMutableBytes {
                    try unsafe readSource(
                        into: UnsafeMutableRawBufferPointer(rebasing: $0[filled...]), at: offset + Int64(filled))
                }
                if read == 0 { break }
                filled += read
            }
        } catch {
            throw Self.mediaError(error)
        }
        return Array(bytes.prefix(filled))
    }

    /// Reads, and holds the source to its contract: it may be a caller's own.
    private func readSource(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        let count = try unsafe source.read(into: buffer, at: offset)
        guard (0...buffer.count).contains(count) else { throw BrokenByteSource(given: count, asked: buffer.count) }
        return count
    }

    private static func mediaError(_ error: any Error) -> MediaError {
        if let interrupted = error as? Interrupted { return .interrupted(interrupted.reason) }
        return .unreadable(error)
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int32 {
        if let reason = interrupt.reason {
            fail(.interrupted(reason))
            return cff_error_exit
        }
        do {
            let count = try unsafe readSource(into: buffer, at: position)
            position += Int64(count)
            return count == 0 ? cff_error_eof : Int32(count)
        } catch {
            fail(Self.mediaError(error))
            return cff_error_exit
        }
    }

    private func fail(_ error: MediaError) {
        failure = error
        failureCount += 1
    }

    private func seek(to offset: Int64, whence: Int32) -> Int64 {
        let base: Int64
        switch whence & ~AVSEEK_FORCE {
        case AVSEEK_SIZE: return size() ?? Int64(cff_error_not_supported)
        case SEEK_SET: base = 0
        case SEEK_CUR: base = position
        case SEEK_END:
            guard let size = size() else { return Int64(cff_error_not_supported) }
            base = size
        default: return Int64(cff_error_invalid_data)
        }
        // Offsets come out of the file: they may be anything.
        let (target, overflow) = base.addingReportingOverflow(offset)
        guard !overflow, (0...Self.lastPosition).contains(target) else { return Int64(cff_error_invalid_data) }
        position = target
        return position
    }

    /// Far behind the end of every file, and far enough from where offsets overflow.
    static let lastPosition = Int64.max / 2

    /// - Parameter isForwardOnly: libavformat is told that it can't seek, so that it reads from front to back.
    /// - Returns: An AVIOContext that reads through this object from the start; the object must outlive it.
    func makeContext(
        bufferSize: Int32, isForwardOnly: Bool
    ) throws(FFmpegError) -> UnsafeMutablePointer<AVIOContext> {
        position = 0
        let seek: cff_seek = { opaque, offset, whence in
            guard let opaque = unsafe opaque else { return Int64(cff_error_invalid_data) }
            return unsafe Unmanaged<ByteReader>.fromOpaque(opaque).takeUnretainedValue().seek(
                to: offset, whence: whence)
        }
        // Not retained: the demuxer owns both, and frees the context first.
        let opaque = unsafe Unmanaged.passUnretained(self).toOpaque()
        let context = unsafe cff_io_alloc(
            bufferSize, opaque,
            { opaque, buffer, size in
                guard let opaque = unsafe opaque, let buffer = unsafe buffer, size > 0 else {
                    return cff_error_invalid_data
                }
                return unsafe Unmanaged<ByteReader>.fromOpaque(opaque).takeUnretainedValue()
                    .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(size)))
            }, isForwardOnly ? nil : seek)
        return unsafe try check(context, "avio_alloc_context")
    }
}
