import SnapBase
import SnapNetwork

extension Source {
    /// Opens the bytes; nothing is decoded yet.
    func open(_ options: VideoOptions, interrupt: Interrupt) throws(SnapError) -> any ByteSource {
        do {
            switch self {
            case .file(let path): return try Self.openFile(path, options, interrupt)
            case .url(let url): return try Self.openURL(url, options, interrupt)
            case .standardInput:
                return try SpooledByteSource(
                    FileDescriptor(0, closes: false), limit: options.byteLimit, interrupt: interrupt)
            case .bytes(let bytes): return MemoryByteSource(bytes)
            case .custom(_, let make): return try make(interrupt)
            }
        } catch {
            throw SnapError(reading: error, source: name, timeout: options.timeout)
        }
    }

    private static func openFile(_ path: String, _ options: VideoOptions, _ interrupt: Interrupt) throws
        -> any ByteSource
    {
        let file = try FileDescriptor.open(forReading: path)
        switch try file.kind() {
        case .regular(let length): return FileByteSource(file, length: length)
        case .stream: return try SpooledByteSource(file, limit: options.byteLimit, interrupt: interrupt)
        case .directory: throw SnapError(.isDirectory, source: path, "a folder, not a video")
        }
    }

    private static func openURL(_ url: String, _ options: VideoOptions, _ interrupt: Interrupt) throws -> any ByteSource
    {
        var http = HTTPOptions()
        http.headers = options.headers.map { HTTPOptions.Header(name: $0.name, value: $0.value) }
        http.userAgent = options.userAgent ?? "snap/\(Version.current)"
        http.allowsPrivateAddresses = options.allowsPrivateAddresses
        http.maximumBytes = options.byteLimit
        return try HTTPByteSource(HTTPURL(url), session: HTTPSession(), options: http, interrupt: interrupt)
    }
}
