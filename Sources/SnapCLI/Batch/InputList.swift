import Snap

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Lists the inputs of a batch, one after the other, on a thread of its own: work begins with the first.
struct InputList: Sendable {
    private let order: BatchOrder
    private let queue: ItemQueue

    init(_ order: BatchOrder, into queue: ItemQueue) {
        self.order = order
        self.queue = queue
    }

    func run() {
        do throws(SnapError) {
            try list()
            queue.end()
        } catch {
            queue.end(error)
        }
    }

    private func list() throws(SnapError) {
        var index = 0
        switch order.inputs {
        case .names(let names):
            for name in names where !add(name, &index) { return }
        case .list(let path, let separator):
            var lines = LineReader(try Self.open(path), separator: separator, longest: 1 << 16)
            while let line = try Self.next(&lines, path) {
                guard case .text(let bytes) = line else {
                    if !fail("a line of the list", "is longer than a path can be", &index) { return }
                    continue
                }
                let name = Self.name(bytes, endedBy: separator)
                if name.isEmpty { continue }
                if !add(name, &index) { return }
            }
        case .manifest(let path):
            var lines = LineReader(try Self.open(path))
            var number = 0
            while let line = try Self.next(&lines, path) {
                number += 1
                if !add(job: line, "\(path), line \(number)", &index) { return }
            }
        }
    }

    /// What a line names. A list from Windows ends its lines with CR LF: a CR is part of a name only where there is such
    /// a file.
    private static func name(_ line: [UInt8], endedBy separator: UInt8) -> String {
        let name = String(pathBytes: line)
        guard separator == 0x0a, line.last == 0x0d, !OutputFile.exists(name) else { return name }
        return String(pathBytes: Array(line.dropLast()))
    }

    private static func open(_ path: String) throws(SnapError) -> FileDescriptor {
        if path == "-" { return FileDescriptor(0, closes: false) }
        do throws(SystemError) { return try FileDescriptor.open(forReading: path) } catch {
            throw SnapError(.notFound, source: path, "the list can't be read: \(error.meaning)")
        }
    }

    private static func next(_ lines: inout LineReader, _ path: String) throws(SnapError) -> LineReader.Line? {
        do throws(SystemError) { return try lines.next() } catch {
            throw SnapError(.notReadable, source: path, "the list can't be read further: \(error.meaning)")
        }
    }

    // MARK: One input

    /// - Returns: Whether more are wanted.
    private func add(_ name: String, _ index: inout Int) -> Bool {
        if order.walksFolders, OutputFile.isFolder(name) {
            var walk = FolderWalk(name)
            while let found = walk.next() {
                switch found {
                case .file(let path): if !addOne(path, &index) { return false }
                case .unreadable(let path, let reason): if !fail(path, reason, &index) { return false }
                }
            }
            return true
        }
        return addOne(name, &index)
    }

    private func addOne(_ name: String, _ index: inout Int) -> Bool {
        defer { index += 1 }
        guard order.shard.holds(name) else { return true }
        return queue.add(.item(BatchItem(index: index, input: name)))
    }

    private func add(job line: LineReader.Line, _ place: String, _ index: inout Int) -> Bool {
        guard case .text(let bytes) = line else { return fail(place, "is longer than 4 MiB", &index) }
        if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) { return true }
        do throws(SnapError) {
            let item = try BatchItem(index: index, job: bytes)
            index += 1
            return !order.shard.holds(item.input) || queue.add(.item(item))
        } catch {
            return fail(place, error.message, &index)
        }
    }

    private func fail(_ input: String, _ reason: String, _ index: inout Int) -> Bool {
        defer { index += 1 }
        guard order.shard.holds(input) else { return true }
        return queue.add(.mistake(index: index, input: input, SnapError(.usage, source: input, reason)))
    }
}
