import Snap

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Wakes a thread that waits in `poll`.
final class Bell: Sendable {
    private let reading: FileDescriptor
    private let writing: FileDescriptor

    init() throws(SystemError) {
        let pipe = try FileDescriptor.pipe()
        reading = FileDescriptor(pipe.reading)
        writing = FileDescriptor(pipe.writing)
        reading.setNonBlocking()
        writing.setNonBlocking()
    }

    /// To be waited for.
    var descriptor: Int32 { reading.number }

    /// May be called from any thread.
    func ring() {
        withUnsafeBytes(of: 1 as UInt8) { bytes in _ = write(writing.number, bytes.baseAddress, 1) }
    }

    /// Forgets how often it was rung.
    func silence() {
        withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { bytes in
            while Self.readBytes(reading.number, bytes) > 0 {}
        }
    }

    private static func readBytes(_ number: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
        read(number, bytes.baseAddress, bytes.count)
    }
}
