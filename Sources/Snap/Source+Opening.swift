import SnapBase
import SnapMedia
import SnapNetwork
import SnapPlaylist

extension Source {
    /// Opens what frames are taken from: one video, or what a playlist names. Nothing is decoded yet.
    func open(_ options: VideoOptions, interrupt: Interrupt) throws(SnapError) -> any Footage {
        let opening = SourceOpening(name: name, options: options, interrupt: interrupt)
        return try opening.errors.reading {
            switch self {
            case .file(let path): try opening.file(path)
            case .url(let url): try opening.url(url)
            case .standardInput:
                try opening.video(
                    SpooledByteSource(
                        FileDescriptor(0, closes: false), limit: options.byteLimit, interrupt: interrupt))
            case .bytes(let bytes): try opening.joined(MemoryByteSource(bytes))
            case .custom(_, let make): try opening.video(make(interrupt))
            }
        }
    }
}

/// The opening of one source.
private struct SourceOpening {
    let errors: ErrorSource
    let options: VideoOptions
    let interrupt: Interrupt

    init(name: String, options: VideoOptions, interrupt: Interrupt) {
        errors = ErrorSource(name: name, timeout: options.timeout, interrupt: interrupt)
        self.options = options
        self.interrupt = interrupt
    }

    func video(_ bytes: any ByteSource, _ store: TimeIndexStore? = nil) throws -> any Footage {
        try Libraries.load()
        return try FileFootage(bytes, store: store, decoding: decoding, interrupt: interrupt, errors: errors)
    }

    /// What may be several videos in one, for bytes that are at hand: each look costs a remote source a request.
    func joined(_ bytes: any ByteSource, _ store: TimeIndexStore? = nil) throws -> any Footage {
        let parts = try JoinedParts.find(in: bytes, interrupt: interrupt)
        if parts.isEmpty { return try video(bytes, store) }
        try Libraries.load()
        let (decoding, interrupt, errors) = (decoding, interrupt, errors)
        return JoinedFootage(bytes, parts: parts, errors: errors) { part throws(SnapError) in
            try FileFootage(part, store: nil, decoding: decoding, interrupt: interrupt, errors: errors)
        }
    }

    private var decoding: DecodingOptions {
        var decoding = DecodingOptions()
        decoding.pixelLimit = options.pixelLimit
        decoding.threads = options.threads.map { min(max($0, 1), 64) } ?? DecodingOptions.defaultThreads
        decoding.isForOneKeyFrame = options.isForOneKeyFrame
        return decoding
    }

    private func stream(_ loaded: PlaylistLoader.Loaded, _ fetcher: StreamFetcher) throws -> any Footage {
        try Libraries.load()
        let top: StreamFootage.Top =
            switch loaded.playlist {
            case .multivariant(let list): .variants(list, loaded.address)
            case .media(let list): .media(list, loaded.address, loadedAt: loaded.moment)
            }
        return StreamFootage(
            top, fetcher: fetcher, options: options, decoding: decoding, interrupt: interrupt, errors: errors)
    }

    // MARK: Files

    func file(_ path: String) throws -> any Footage {
        let file: FileDescriptor
        do throws(SystemError) { file = try FileDescriptor.open(forReading: path) } catch {
            // Not one of http, which a program may have named as a file.
            guard error.isMissingFile, Source.looksLikeURL(path), case .file = Source(path) else { throw error }
            throw SnapError(
                .usage, source: errors.name,
                "no such file, and of URLs, only those of http and https are opened (name a file by its path)")
        }
        switch try file.kind() {
        case .regular(let length):
            let source = FileByteSource(file, length: length)
            // A file that only looks like a playlist may come from anybody, and would show what lies beside it.
            let isNamedSo = [".m3u8", ".m3u"].contains { path.lowercased().hasSuffix($0) }
            guard isNamedSo, Playlist.isPlaylist(try source.head()) else {
                return try joined(source, options.timeIndex.flatMap { TimeIndexStore($0, forFile: path) })
            }
            return try localStream(path)
        case .stream:
            return try video(SpooledByteSource(file, limit: options.byteLimit, interrupt: interrupt))
        case .directory: throw SnapError(.isDirectory, source: path, "a folder, not a video")
        }
    }

    private func localStream(_ path: String) throws -> any Footage {
        guard let resolved = FileDescriptor.resolvedPath(path) else {
            throw SnapError(.notFound, source: path, "no such file")
        }
        let fetcher = StreamFetcher(folder: OutputFile.split(resolved).folder, interrupt: interrupt)
        return try stream(PlaylistLoader(fetcher: fetcher).load(.file(resolved)), fetcher)
    }

    // MARK: URLs

    func url(_ text: String) throws -> any Footage {
        // libcurl takes more for a host, such as the beginning of a password that should have been escaped.
        guard Source.hasHost(text) else { throw NetworkError.noURL }
        let url = try HTTPURL(text)
        let session = try HTTPSession()
        let fetcher = StreamFetcher(typed: url, session: session, options: http, interrupt: interrupt)
        if url.namesPlaylist {
            // Asked for whole, so that the server may compress it.
            let resource = try fetcher.fetch(.url(url), kind: "the playlist", limit: PlaylistLimits().mediaByteCount)
            if Playlist.isPlaylist(resource.bytes) {
                return try stream(PlaylistLoader.read(resource.bytes, at: resource.address), fetcher)
            }
            return try video(MemoryByteSource(resource.bytes))
        }
        let source = try HTTPByteSource(url, session: session, options: http, interrupt: interrupt)
        guard source.mediaType?.contains("mpegurl") == true, Playlist.isPlaylist(try source.head()) else {
            let state = source.isSeekable ? source.state : nil
            let store = state.flatMap { state in
                options.timeIndex.flatMap { TimeIndexStore($0, forURL: url.text, state: state) }
            }
            return try video(source, store)
        }
        let limit = PlaylistLimits().mediaByteCount
        guard let bytes = try source.readAll(limit: limit) else {
            throw SnapError(.tooManyBytes, source: errors.name, "the playlist is longer than \(limit) bytes")
        }
        fetcher.count(source.statistics)
        return try stream(PlaylistLoader.read(bytes, at: .url(source.url)), fetcher)
    }

    private var http: HTTPOptions {
        var http = HTTPOptions()
        http.headers = options.headers.map { HTTPOptions.Header(name: $0.name, value: $0.value) }
        http.userAgent = options.userAgent ?? "snap/\(Version.current)"
        http.allowsPrivateAddresses = options.allowsPrivateAddresses
        http.certificateFile = options.certificateFile
        http.maximumBytes = options.byteLimit
        return http
    }
}

extension ByteSource {
    /// The first bytes, enough to tell a playlist.
    fileprivate func head() throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            count = try read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
        }
    }
}
