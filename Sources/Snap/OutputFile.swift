import SnapBase

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Files that appear whole or not at all: written beside their place, then renamed. A symbolic link is replaced by the
/// file, not followed.
package enum OutputFile {
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - path: A file there is replaced; missing folders are made.
    ///   - temporary: Where it is written first, for a caller that removes it when the process must end at once. `nil`
    ///     for a ``temporaryPath(beside:)`` of its own.
    /// - Throws: ``SnapError`` with code `cannot-write`; nothing is left behind then.
    package static func write(_ bytes: [UInt8], to path: String, through temporary: String? = nil) throws(SnapError) {
        let (folder, name) = split(path)
        if name.isEmpty || isFolder(path) { throw failure(path, "a folder, not a file") }
        do throws(SystemError) {
            // A device or a pipe, such as /dev/null, is written into, and so is /dev/stdout, whatever kind of file that
            // is: putting a file in its place would break it.
            if let special = try openSpecial(path) {
                return try withBytes(bytes) { content throws(SystemError) in try special.write(content) }
            }
            let temporary = temporary ?? temporaryPath(beside: path)
            do throws(SystemError) {
                if try writeUnnamed(bytes, to: path, through: temporary, in: folder) { return }
                let file = try create(temporary, in: folder)
                try withBytes(bytes) { content throws(SystemError) in try file.write(content) }
                try file.close()
                try call("rename") { temporary.withPath { from in path.withPath { rename(from, $0) } } }
            } catch {
                remove(temporary)
                throw error
            }
        } catch {
            throw failure(path, error.meaning)
        }
    }

    /// Writes a file that gets its name when it is whole, so that nothing is left of it if the process is killed.
    ///
    /// - Returns: False where that can't be done: on other systems than Linux, some file systems, without /proc.
    private static func writeUnnamed(
        _ bytes: [UInt8], to path: String, through temporary: String, in folder: String
    ) throws(SystemError) -> Bool {
        #if os(Linux)
            // O_TMPFILE, which Swift does not import: O_DIRECTORY and a bit of its own.
            let unnamed = O_DIRECTORY | 0o20000000
            let place = folder.isEmpty ? "." : folder
            let number = place.withPath { open($0, unnamed | O_WRONLY | O_CLOEXEC, 0o666) }
            if number < 0 { return false }
            let file = FileDescriptor(number)
            try withBytes(bytes) { content throws(SystemError) in try file.write(content) }
            if link(file, to: path) { return true }
            // Names are given only where there is none; one that is there is replaced by renaming.
            guard errno == EEXIST, link(file, to: temporary) else { return false }
            try call("rename") { temporary.withPath { from in path.withPath { rename(from, $0) } } }
            return true
        #else
            return false
        #endif
    }

    #if os(Linux)
        private static func link(_ file: borrowing FileDescriptor, to path: String) -> Bool {
            let source = "/proc/self/fd/\(file.number)"
            return path.withPath { linkat(AT_FDCWD, source, AT_FDCWD, $0, AT_SYMLINK_FOLLOW) } == 0
        }
    #endif

    /// A hidden name that nobody else uses, in the folder of a file.
    package static func temporaryPath(beside path: String) -> String {
        let (folder, name) = split(path)
        // A file name ends at 255 bytes, of which the additions need up to 32. It has as many bytes as its text, or fewer.
        var start = name[...]
        while start.utf8.count > 200 { start.removeLast() }
        return folder + ".\(start).\(getpid())-\(UInt32.random(in: 0 ... .max)).part"
    }

    /// Removes a file, if there is one. The corresponding C function is `unlink`.
    package static func remove(_ path: String) { _ = path.withPath { unlink($0) } }

    /// Makes a folder and those that it lies in.
    package static func makeFolder(_ path: String) throws(SnapError) {
        do throws(SystemError) { try makeFolders(path) } catch { throw failure(path, error.meaning) }
    }

    /// Whether there is a folder.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return path.withPath { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether there is anything; a link that leads to nothing, too.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return path.withPath { lstat($0, &status) } == 0
    }

    /// Whether there is something that can be read: a picture that need not be taken. The corresponding C function is
    /// `access`.
    package static func isReadable(_ path: String) -> Bool {
        path.withPath { access($0, R_OK) } == 0 && !isFolder(path)
    }

    /// Whether a path leads to something that is no regular file.
    package static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        return path.withPath { stat($0, &status) } == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    /// Opens what is there for writing, if it is a device, a pipe, or what a process has open.
    private static func openSpecial(_ path: String) throws(SystemError) -> FileDescriptor? {
        let openFile = OpenFilePath(path)
        if let number = openFile?.ownNumber { return try FileDescriptor(number, closes: false).duplicate() }
        guard openFile != nil || isSpecial(path) else { return nil }
        let number = path.withPath { open($0, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY) }
        if number < 0 { throw SystemError(errorNumber: errno, action: "open") }
        return FileDescriptor(number)
    }

    private static func create(_ path: String, in folder: String) throws(SystemError) -> FileDescriptor {
        var number = createNew(path)
        if number < 0, errno == ENOENT, !folder.isEmpty {
            try makeFolders(folder)
            number = createNew(path)
        }
        if number < 0 { throw SystemError(errorNumber: errno, action: "create") }
        return FileDescriptor(number)
    }

    private static func createNew(_ path: String) -> Int32 {
        path.withPath { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
    }

    private static func makeFolders(_ path: String) throws(SystemError) {
        if path.isEmpty || isFolder(path) { return }
        let (parent, _) = split(path.hasSuffix("/") ? String(path.dropLast()) : path)
        try makeFolders(parent)
        if path.withPath({ mkdir($0, 0o777) }) != 0, errno != EEXIST {
            throw SystemError(errorNumber: errno, action: "mkdir")
        }
    }

    /// The folder with its slash, and the name.
    package static func split(_ path: String) -> (folder: String, name: String) {
        // Not by characters: a name that begins with a combining mark would make one of it and the slash.
        let scalars = path.unicodeScalars
        guard let slash = scalars.lastIndex(of: "/") else { return ("", path) }
        return (String(scalars[...slash]), String(scalars[scalars.index(after: slash)...]))
    }

    private static func call(_ action: String, _ body: () -> Int32) throws(SystemError) {
        if body() != 0 { throw SystemError(errorNumber: errno, action: action) }
    }

    private static func withBytes(
        _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(SystemError) -> Void
    ) throws(SystemError) {
        let result: Result<Void, SystemError> = bytes.withUnsafeBytes { buffer in
            Result { () throws(SystemError) in try body(buffer) }
        }
        try result.get()
    }

    private static func failure(_ path: String, _ reason: String) -> SnapError {
        SnapError(.cannotWrite, source: path, "cannot be written: \(reason)")
    }
}
