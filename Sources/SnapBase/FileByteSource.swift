/// The bytes of a regular file.
package final class FileByteSource: ByteSource {
    private let file: FileDescriptor
    private let length: Int64
    package private(set) var statistics = ByteSourceStatistics()

    /// - Parameters:
    ///   - file: A regular file.
    ///   - length: Its length in bytes.
    package init(_ file: consuming FileDescriptor, length: Int64) {
        self.file = file
        self.length = length
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        let count = try file.read(into: buffer, at: offset)
        statistics.bytesRead += Int64(count)
        return count
    }

    /// Another source of the same bytes, for another thread: of the file that is open, whatever its name leads to by now.
    package func duplicate() throws(SystemError) -> FileByteSource {
        FileByteSource(try file.duplicate(), length: length)
    }

    package func size() -> Int64? { length }
}
