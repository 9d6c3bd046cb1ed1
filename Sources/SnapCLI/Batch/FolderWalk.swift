import Snap

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The videos in a folder and those below it, by name; links to folders are not followed, hidden names are left out.
struct FolderWalk {
    enum Found: Sendable {
        case file(String)
        case unreadable(String, String)
    }

    /// What is still to be looked at, the next last.
    private var paths: [String] = []
    /// What could not be read.
    private var failures: [Found] = []

    init(_ folder: String) { list(folder) }

    mutating func next() -> Found? {
        while true {
            if let failure = failures.popLast() { return failure }
            guard let path = paths.popLast() else { return nil }
            switch Self.kind(path) {
            case S_IFDIR: list(path)
            case S_IFREG: if VideoLook.isVideo(path) { return .file(path) }
            case S_IFLNK: if !OutputFile.isFolder(path), VideoLook.isVideo(path) { return .file(path) }
            default: break
            }
        }
    }

    private mutating func list(_ folder: String) {
        guard let handle = folder.withPath({ opendir($0) }) else {
            failures.append(.unreadable(folder, "the folder can't be read: \(String(cString: strerror(errno)))"))
            return
        }
        defer { closedir(handle) }
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(path: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        paths += names.sorted(by: >).map { prefix + $0 }
    }

    /// The kind of a file, links not followed; 0 where there is none.
    private static func kind(_ path: String) -> mode_t {
        var status = stat()
        return path.withPath({ lstat($0, &status) }) == 0 ? status.st_mode & S_IFMT : 0
    }
}

/// Whether a file in a folder is to be taken for a video: by its extension, or by how it begins.
enum VideoLook {
    /// Those that stand for nothing else; `.ts` is TypeScript, too.
    private static let extensions: Set<String> = [
        "mp4", "m4v", "mov", "mkv", "webm", "avi", "m2ts", "mpg", "mpeg", "vob", "flv", "f4v", "wmv", "asf", "ogv",
        "3gp",
        "3g2", "mxf", "m3u8", "y4m", "ivf", "h264", "264", "h265", "265", "hevc", "obu", "rmvb", "nut", "divx",
    ]

    static func isVideo(_ path: String) -> Bool {
        let name = OutputFile.split(path).name
        if let dot = name.lastIndex(of: "."), extensions.contains(name[name.index(after: dot)...].lowercased()) {
            return true
        }
        return beginsAsVideo(path)
    }

    private static func beginsAsVideo(_ path: String) -> Bool {
        guard let file = try? FileDescriptor.open(forReading: path) else { return false }
        let head = [UInt8](unsafeUninitializedCapacity: 600) { buffer, count in
            count = (try? file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)) ?? 0
        }
        func holds(_ bytes: [UInt8], at place: Int = 0) -> Bool { head.dropFirst(place).starts(with: bytes) }
        func holds(_ text: String, at place: Int = 0) -> Bool { holds(Array(text.utf8), at: place) }
        // ISO 14496-12 but for still pictures and sound; Matroska; AVI; MPEG transport (plain, with time codes) and
        // program streams; FLV; ASF; Ogg; MXF; Y4M; IVF.
        if holds("ftyp", at: 4) {
            return !["heic", "heix", "mif1", "avif", "M4A ", "M4B "].contains { holds($0, at: 8) }
        }
        if holds("moov", at: 4) || holds("moof", at: 4) || holds("mdat", at: 4) { return true }
        if holds([0x1a, 0x45, 0xdf, 0xa3]) || holds([0x00, 0x00, 0x01, 0xba]) || holds("FLV\u{1}") { return true }
        if holds("RIFF"), holds("AVI ", at: 8) { return true }
        for length in [188, 192, 204] where head.count > 2 * length {
            let isStream = (0..<min(length, head.count - 2 * length)).contains { start in
                [0, 1, 2].allSatisfy { head[start + $0 * length] == 0x47 }
            }
            if isStream { return true }
        }
        if holds("OggS") { return ["theora", "OVP80"].contains { !head.ranges(of: Array($0.utf8)).isEmpty } }
        return holds([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11])
            || holds([0x06, 0x0e, 0x2b, 0x34, 0x02, 0x05, 0x01, 0x01]) || holds("YUV4MPEG2") || holds("DKIF")
    }
}
